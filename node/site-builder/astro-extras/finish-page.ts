import { hash } from 'node:crypto';
import type { Inlined } from '../../manifest/content-security-policy.ts';

/**
 * Scripts and styles with their content, comments, and other tags with their attributes, so that text in an attribute
 * is not mistaken for a script.
 */
const TAGS =
  /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>|<!--[\s\S]*?-->|<[a-z][^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*>/gi;
/** Attributes of scripts that are files or data. */
const NOT_INLINE = /\bsrc=|\btype="?application\//;
/** By content: thousands of pages have the same few. */
const hashes = new Map<string, string>();

/**
 * Changes a page that Astro rendered, and hashes its inline scripts and styles for its content security policy.
 * - Puts all styles into the place of the first one, in their order: that is smaller, and the policy has one hash of them
 *   instead of one for each option of the catalogue.
 * - Moves inline scripts to the end of the body: Astro puts them before the first island, where they delay the paint of
 *   all below.
 */
export function finishPage(html: string): { html: string; inlined: Inlined } {
  const scripts = new Set<string>();
  const styles: string[] = [];
  const inline: string[] = [];
  let rest = '';
  /** Length of `rest` before the first style. */
  let head = 0;
  let end = 0;
  for (const { 0: tag, 1: name, 2: attributes = '', 3: content = '', index } of html.matchAll(TAGS)) {
    if (name === 'style' || tag.startsWith('<script>')) {
      rest += html.slice(end, index);
      end = index + tag.length;
      if (name === 'style' && styles.length === 0) head = rest.length;
      (name === 'style' ? styles : inline).push(content);
    } else if (name === 'script' && !NOT_INLINE.test(attributes)) scripts.add(hashOf(content));
  }
  rest += html.slice(end);
  for (const script of inline) scripts.add(hashOf(script));
  const style = styles.join('');
  const first = style && `<style>${style}</style>`;
  const last = inline.map((script) => `<script>${script}</script>`).join('');
  const body = rest.lastIndexOf('</body>');
  return {
    html: body < 0 ? html : rest.slice(0, head) + first + rest.slice(head, body) + last + rest.slice(body),
    inlined: { scripts: [...scripts], styles: style ? [hashOf(style)] : [] },
  };
}

/** As a content security policy names it. */
function hashOf(content: string): string {
  const name = hashes.get(content) ?? `'sha256-${hash('sha256', content, 'base64')}'`;
  hashes.set(content, name);
  return name;
}
