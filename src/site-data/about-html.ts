import { micromark } from 'micromark';

/**
 * The owner's longer text as HTML. Safe whatever stands in it: HTML is escaped, and addresses are http, https or mailto.
 * Pictures become links, because the pages load nothing from elsewhere; its headings stand below the page's own.
 */
export function aboutHtml(markdown: string): string {
  const html = micromark(markdown, { extensions: [{ disable: { null: ['labelStartImage'] } }] });
  return html.replace(
    /<(\/?)h([1-6])>/g,
    (_, slash, level) => `<${slash}h${Math.min(Number(level) + 2, 6)}>`,
  );
}
