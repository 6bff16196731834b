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
h1 { margin: 0 0 20px; font-size: 24px; font-weight: 700; line-height: 1.25; letter-spacing: -.01em; }
h2 { margin: 24px 0 8px; font-size: 16px; font-weight: 700; }
p, ol, table, blockquote { margin: 0 0 16px; }
table { width: 100%; border-collapse: collapse; border-top: 1px solid #dfdcd3; }
th, td { padding: 8px 0; border-bottom: 1px solid #dfdcd3; text-align: left; vertical-align: top; }
th { width: 96px; padding-right: 16px; white-space: nowrap; color: #5c5d66; font-weight: 400; }
.large { font-size: 20px; font-weight: 700; line-height: 1.2; }
.amount { margin: -12px 0 4px; font-size: 40px; line-height: 1.15; letter-spacing: -.035em; }
h1.amount { margin: 0 0 20px; }
h1 small { display: block; margin-top: 4px; color: #5c5d66; font-size: 20px; font-weight: 400; letter-spacing: 0; }
blockquote { padding-left: 16px; border-left: 3px solid #83848c; }
ol { padding-left: 20px; }
li { margin-bottom: 8px; }
code { display: block; font: 14px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
a { color: ${light}; }
.button { margin: 24px 0; color: #5c5d66; }
.button a { display: inline-block; margin-right: 16px; padding: 12px 24px; border-radius: 8px; background: ${light}; color: ${onLight}; font-weight: 700; text-decoration: none; }
.soft, .foot p { color: #5c5d66; }
.brand { font-weight: 700; }
.brand::before { content: ""; display: inline-block; width: 10px; height: 10px; margin-right: 10px; border-radius: 5px; background: ${light}; }
.foot { margin-top: 32px; padding-top: 16px; border-top: 1px solid #dfdcd3; }
.foot p { margin: 0 0 4px; font-size: 14px; }
.foot a { display: inline-block; color: inherit; }
.foot p > bdi { color: #131318; font-weight: 700; }
@media (max-width: 479px) {
.button a { display: block; margin: 0 0 8px; text-align: center; }
.button { text-align: center; }
}
@media (prefers-color-scheme: dark) {
body { background: #0f1014; color: #f3f2ee; }
table, th, td, .foot { border-color: #2b2e37; }
th, .soft, .button, .foot p, h1 small { color: #a4a7b2; }
.foot p > bdi { color: #f3f2ee; }
blockquote { border-color: #767a87; }
a { color: ${dark}; }
.foot a { color: inherit; }
.button a { background: ${dark}; color: ${onDark}; }
.brand::before { background: ${dark}; }
}
</style>`;
}
