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
body { margin: 0 auto; padding: 28px 32px 32px; max-width: 536px; background: #f7f6f2; color: #131318; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 28px 0 20px; font-size: 24px; font-weight: 700; line-height: 1.25; letter-spacing: -.01em; }
h2 { margin: 24px 0 8px; font-size: 16px; font-weight: 700; }
p, ol, table, blockquote { margin: 0 0 16px; }
table { width: 100%; border-collapse: collapse; border-top: 1px solid #dfdcd3; }
th, td { padding: 10px 0; border-bottom: 1px solid #dfdcd3; text-align: left; vertical-align: top; }
th { width: 112px; padding-right: 16px; white-space: nowrap; color: #5c5d66; font-weight: 400; }
.large { font-size: 20px; font-weight: 700; line-height: 1.2; }
.amount { font-size: 48px; line-height: 1.08; letter-spacing: -.045em; }
p.amount { margin: -8px 0 12px; }
h1 small { display: block; margin-top: 6px; color: #5c5d66; font-size: 20px; font-weight: 400; line-height: 1.4; letter-spacing: 0; }
.bar, .share { border: 0; }
.bar { margin: -4px 0 6px; border-radius: 4px; background: #dfdcd3; }
.bar td, .share td { padding: 0; border: 0; }
.bar td { height: 8px; font-size: 0; line-height: 0; }
.bar td:first-child { border-radius: 4px; background: ${light}; }
.share { margin-bottom: 28px; font-size: 14px; }
.share td + td { text-align: right; color: #5c5d66; }
blockquote { padding: 14px 18px; border: 1px solid #dfdcd3; border-radius: 12px; background: #fff; }
.from { margin: -6px 0 28px; color: #5c5d66; font-size: 14px; }
.from a { color: inherit; }
ol { padding-left: 20px; }
li { margin-bottom: 8px; }
code { display: block; font: 14px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
a { color: ${light}; }
.button { margin: 24px 0 16px; }
.button a { display: inline-block; margin: 0 10px 8px 0; padding: 15px 24px; border: 1px solid ${light}; border-radius: 8px; background: ${light}; color: ${onLight}; font-size: 17px; font-weight: 700; line-height: 1.2; text-decoration: none; }
.button .second { border-color: #83848c; background: none; color: inherit; }
.soft, .foot p { color: #5c5d66; }
.soft { font-size: 14px; }
.brand { font-weight: 700; }
.brand::before { content: ""; display: inline-block; width: 10px; height: 10px; margin-right: 10px; border-radius: 5px; background: ${light}; }
.foot { margin-top: 28px; }
.foot p { margin: 0 0 8px; font-size: 14px; }
.foot a { display: inline-block; color: inherit; }
.foot p > bdi { color: #131318; font-weight: 700; }
@media (max-width: 479px) {
body { padding: 24px 20px; }
.amount { font-size: 38px; }
.button a { display: block; margin: 0 0 8px; text-align: center; }
}
@media (prefers-color-scheme: dark) {
body { background: #0f1014; color: #f3f2ee; }
table, th, td { border-color: #2b2e37; }
th, .soft, .foot p, .from, h1 small, .share td + td { color: #a4a7b2; }
.foot p > bdi { color: #f3f2ee; }
blockquote { border-color: #2b2e37; background: #17191f; }
a { color: ${dark}; }
.foot a, .from a { color: inherit; }
.bar { background: #2b2e37; }
.bar td:first-child, .brand::before { background: ${dark}; }
.button a { border-color: ${dark}; background: ${dark}; color: ${onDark}; }
.button .second { border-color: #767a87; background: none; color: inherit; }
}
</style>`;
}
