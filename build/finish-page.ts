import { createHash } from 'node:crypto';
import type { Inlined } from '../src/security/csp.ts';

export interface FinishedPage {
  readonly html: Buffer;
  /** What the browser would run or apply of what stands in the page itself. */
  readonly inlined: Inlined;
}

/**
 * The last touch to a page that Astro rendered. Astro inlines the islands' start-up scripts before the first island, in
 * the middle of the page: the browser then paints what stands above them, and the rest later. At the end of the body
 * they keep nobody waiting.
 */
export function finishPage(html: Buffer): FinishedPage {
  // Byte for byte, as the browser hashes it.
  const text = html.toString('latin1');
  const found = { scripts: new Set<string>(), styles: new Set<string>() };
  const moved: string[] = [];
  const rest = text.replace(TAGS, (tag, name?: string, attributes = '', content = '') => {
    if (name === 'style') found.styles.add(hashOf(content));
    else if (name === 'script' && !NOT_RUN.test(attributes)) found.scripts.add(hashOf(content));
    if (!tag.startsWith('<script>')) return tag;
    moved.push(tag);
    return '';
  });
  const end = rest.lastIndexOf('</body>');
  const inlined = { scripts: [...found.scripts], styles: [...found.styles] };
  if (moved.length === 0 || end < 0) return { html, inlined };
  return { html: Buffer.from(rest.slice(0, end) + moved.join('') + rest.slice(end), 'latin1'), inlined };
}

/**
 * Scripts and styles whole, comments, and other tags with their attributes: what looks like a script in an attribute
 * is a text.
 */
const TAGS = /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>|<!--[\s\S]*?-->|<[a-z](?:"[^"]*"|'[^']*'|[^"'>])*>/gi;
const NOT_RUN = /\bsrc=|\btype="?application\//;

/** As a policy names it. Remembered: thousands of pages have the same. */
function hashOf(content: string): string {
  let hash = hashes.get(content);
  if (hash === undefined) {
    hash = `'sha256-${createHash('sha256').update(content, 'latin1').digest('base64')}'`;
    hashes.set(content, hash);
  }
  return hash;
}
const hashes = new Map<string, string>();
