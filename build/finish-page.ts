import { createHash } from 'node:crypto';
import islandRuntime from 'astro/runtime/server/astro-island.prebuilt.js';
import type { Inlined } from './csp.ts';

export interface FinishedPage {
  /** A character for each byte. */
  readonly html: string;
  /** What the browser would run or apply of what stands in the page itself. */
  readonly inlined: Inlined;
}

/**
 * The last touch to a page that Astro rendered. Astro inlines the islands' start-up scripts before the first island, in
 * the middle of the page: the browser then paints what stands above them, and the rest later. At the end of the body
 * they keep nobody waiting; and the largest of them, a fifth of the page, comes with the islands themselves where
 * these wait for the visitor (src/islands/island.ts).
 *
 * The style sheet of the head goes before the title: from its beginning to there each page has the same text, which
 * need not be compressed for each of thousands anew (gzip-alike.ts).
 */
export function finishPage(html: Buffer): FinishedPage {
  // Byte for byte, as the browser hashes it.
  const text = html.toString('latin1');
  const found = { scripts: new Set<string>(), styles: new Set<string>() };
  const moved: string[] = [];
  let sheets = '';
  let rest = '';
  let taken = 0;
  let waiting = true;
  const head = text.indexOf('<title>') < 0 ? 0 : text.indexOf('</head>');
  // One by one, which takes half as long as to replace those that move.
  TAGS.lastIndex = 0;
  for (let match = TAGS.exec(text); match; match = TAGS.exec(text)) {
    const [tag, name, attributes = '', content = ''] = match;
    let moves = false;
    if (name === 'style') {
      found.styles.add(hashOf(content));
      moves = match.index < head;
      if (moves) sheets += tag;
    } else if (tag.startsWith('<script>')) {
      moves = true;
      moved.push(content);
    } else if (name === 'script') {
      if (!NOT_RUN.test(attributes)) found.scripts.add(hashOf(content));
    } else if (tag.startsWith('<astro-island ')) {
      waiting &&= tag.includes(' client="contact"');
    }
    if (moves) {
      rest += text.slice(taken, match.index);
      taken = TAGS.lastIndex;
    }
  }
  rest += text.slice(taken);
  const scripts = moved.filter((script) => !waiting || script !== islandRuntime);
  for (const script of scripts) found.scripts.add(hashOf(script));
  const inlined = { scripts: [...found.scripts], styles: [...found.styles] };
  const end = rest.lastIndexOf('</body>');
  if (end < 0) return { html: text, inlined };
  const last = scripts.map((script) => `<script>${script}</script>`).join('');
  const title = Math.max(0, rest.indexOf('<title>'));
  const page = rest.slice(0, title) + sheets + rest.slice(title, end) + last + rest.slice(end);
  return { html: page, inlined };
}

/**
 * Scripts and styles whole, comments, and other tags with their attributes: what looks like a script in an attribute
 * is a text.
 */
const TAGS =
  /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>|<!--[\s\S]*?-->|<[a-z][^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*>/gi;
const NOT_RUN = /\bsrc=|\btype="?application\//;

/** As a policy names it. Remembered: thousands of pages have the same few, and comparing texts costs less than a map. */
function hashOf(content: string): string {
  const known = hashes.find((one) => one.content === content);
  if (known) return known.hash;
  const hash = `'sha256-${createHash('sha256').update(content, 'latin1').digest('base64')}'`;
  hashes.unshift({ content, hash });
  hashes.length = Math.min(hashes.length, MOST_HASHES);
  return hash;
}
const hashes: { content: string; hash: string }[] = [];
const MOST_HASHES = 20;
