import { HTML_TAGS } from './html-tags.ts';

/**
 * Astro inlines the islands' start-up scripts before the first island, in the middle of the page: the browser then
 * paints what stands above them, and the rest later. At the end of the body they keep nobody waiting.
 */
export function scriptsLast(html: string): string {
  const end = html.lastIndexOf('</body>');
  if (end < 0) return html;
  const scripts: string[] = [];
  const body = html.slice(0, end).replace(HTML_TAGS, (tag) => {
    if (!tag.startsWith('<script>')) return tag;
    scripts.push(tag);
    return '';
  });
  return body + scripts.join('') + html.slice(end);
}
