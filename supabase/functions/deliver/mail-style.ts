import type { PublishedSettings } from '../_shared/contract/publication.ts';

const ACCENT = { light: '#2a23e0', onLight: '#fff', dark: '#a2abff', onDark: '#0d0e33' };

/**
 * The look of the mails, for the head of their HTML: the colours of the pages (src/styles/tokens.css), as values, since
 * mail programs know no variables. A program that drops it shows plain tables and links.
 */
export function mailStyle({ light, onLight, dark, onDark }: PublishedSettings['accent'] = ACCENT): string {
  return `<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<style>
body { margin: 0 auto; padding: 24px 16px; max-width: 560px; background: #fff; color: #131318; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere; }
p { margin: 0 0 16px; }
p:first-child { font-size: 20px; font-weight: 700; line-height: 1.4; }
table { width: 100%; border-collapse: collapse; border-top: 1px solid #dfdcd3; }
th, td { padding: 8px 0; border-bottom: 1px solid #dfdcd3; text-align: left; vertical-align: top; }
th { width: 96px; padding-right: 16px; white-space: nowrap; color: #5c5d66; font-weight: 400; }
.offer tr:nth-child(-n + 2) td { font-size: 20px; font-weight: 700; line-height: 1.3; }
table + p { margin-top: 16px; }
.offer + p { margin: 24px 0 48px; }
a { color: ${light}; }
.offer + p a { display: inline-block; padding: 12px 24px; border-radius: 8px; background: ${light}; color: ${onLight}; font-weight: 700; text-decoration: none; }
.foot { margin-top: 32px; padding-top: 16px; border-top: 1px solid #dfdcd3; }
.foot p { margin: 0 0 4px; color: #5c5d66; font-size: 14px; font-weight: 400; line-height: 1.5; }
.foot a { color: inherit; }
.foot bdi { color: #131318; font-weight: 700; }
@media (prefers-color-scheme: dark) {
body { background: #0f1014; color: #f3f2ee; }
table, th, td, .foot { border-color: #2b2e37; }
th, .foot p { color: #a4a7b2; }
.foot bdi { color: #f3f2ee; }
a { color: ${dark}; }
.foot a { color: inherit; }
.offer + p a { background: ${dark}; color: ${onDark}; }
}
</style>`;
}
