import { micromark } from 'micromark';

/**
 * Renders the owner's longer text. Safe for any input: HTML is escaped, and URLs are http, https or mailto only.
 * Images become links, because pages load nothing from other origins; headings are moved below the page's own.
 */
export function aboutHtml(markdown: string): string {
  const html = micromark(markdown, { extensions: [{ disable: { null: ['labelStartImage'] } }] });
  return html.replace(
    /<(\/?)h([1-6])>/g,
    (_, slash, level) => `<${slash}h${Math.min(Number(level) + 2, 6)}>`,
  );
}
