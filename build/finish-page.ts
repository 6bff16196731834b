import { createHash } from 'node:crypto';
import islandRuntime from 'astro/runtime/server/astro-island.prebuilt.js';
import type { Inlined } from '../src/security/csp.ts';

export interface FinishedPage {
  readonly html: Buffer;
  /** What the browser would run or apply of what stands in the page itself. */
  readonly inlined: Inlined;
}

/**
 * The last touch to a page that Astro rendered. Astro inlines the islands' start-up scripts before the first island, in
 * the middle of the page: the browser then paints what stands above them, and the rest later. At the end of the body
 * they keep nobody waiting; and the largest of them, a quarter of the page, comes with the islands themselves where
 * these wait for the visitor (src/islands/island.ts).
 */
export function finishPage(html: Buffer): FinishedPage {
  // Byte for byte, as the browser hashes it.
  const text = html.toString('latin1');
  const found = { scripts: new Set<string>(), styles: new Set<string>() };
  const moved: string[] = [];
  let waiting = true;
  const rest = text.replace(TAGS, (tag, name?: string, attributes = '', content = '') => {
    if (name === 'style') found.styles.add(hashOf(content));
    else if (tag.startsWith('<script>')) moved.push(content);
    else if (name === 'script' && !NOT_RUN.test(attributes)) found.scripts.add(hashOf(content));
    else if (tag.startsWith('<astro-island ')) waiting &&= tag.includes(' client="contact"');
    return tag.startsWith('<script>') ? '' : tag;
  });
  const scripts = moved.filter((script) => !waiting || script !== islandRuntime);
  for (const script of scripts) found.scripts.add(hashOf(script));
  const inlined = { scripts: [...found.scripts], styles: [...found.styles] };
  const end = rest.lastIndexOf('</body>');
  if (moved.length === 0 || end < 0) return { html, inlined };
  const last = scripts.map((script) => `<script>${script}</script>`).join('');
  return { html: Buffer.from(rest.slice(0, end) + last + rest.slice(end), 'latin1'), inlined };
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
