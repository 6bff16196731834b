/** Text of the owner's own, which the function renders as HTML: the dashboard's policy allows no HTML from a response. */

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** What the HTML says, with a line for each of its blocks. */
export function textOfHtml(html: string): string {
  return html
    .replace(/\s+/g, ' ')
    .replace(/<br\b[^>]*>|<\/(?:p|li|h[1-6]|blockquote|pre|tr|div)>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (found, hex, decimal, name) =>
      name === undefined
        ? characterOf(hex ? Number.parseInt(hex, 16) : Number(decimal))
        : (NAMED[name] ?? found),
    )
    .replace(/[ ]*\n[\s]*/g, '\n')
    .trim();
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}
