/** A request that asks for a page and for nothing else. */
export interface PlainRequest {
  /** As it stands in the request: not decoded, with its query. */
  readonly url: string;
  readonly host: string;
  readonly acceptEncoding: string | undefined;
}

type Head = Omit<PlainRequest, 'url'>;

/** Longer ones are Node's to read, or to refuse; in bytes. */
const LONGEST = 8 * 1024;
const GET = Buffer.from('GET /');
const VERSION = Buffer.from(' HTTP/1.1\r\n');
const END = Buffer.from('\r\n\r\n');

/**
 * Reads a request of the plainest kind: a GET of HTTP/1.1 that came whole and alone, of one host, whose headers change
 * nothing but the encoding. Undefined for all others, right or wrong, which are for Node's own parser: this one is only
 * for requests that no two servers could understand differently.
 *
 * Of the bytes only what is looked up becomes text, each a string of its own: V8 compares parts of strings by a detour.
 */
export function readPlainRequest(bytes: Buffer): PlainRequest | undefined {
  if (bytes.byteLength > LONGEST || !standsAt(bytes, GET, 0)) return undefined;
  const urlAt = GET.byteLength - 1;
  const urlEnd = endOfVisible(bytes, urlAt);
  // An end before the end is an empty line among the headers, and none of them.
  if (!standsAt(bytes, VERSION, urlEnd) || !standsAt(bytes, END, bytes.byteLength - END.byteLength))
    return undefined;
  const head = headOf(bytes.toString('latin1', urlEnd + VERSION.byteLength));
  return (
    head && {
      url: bytes.toString('latin1', urlAt, urlEnd),
      host: head.host,
      acceptEncoding: head.acceptEncoding,
    }
  );
}

function standsAt(bytes: Buffer, expected: Buffer, at: number): boolean {
  for (let index = 0; index < expected.byteLength; index += 1) {
    if (bytes[at + index] !== expected[index]) return false;
  }
  return true;
}

/** Where the characters from `!` to `~` end: an address has no others. */
function endOfVisible(bytes: Buffer, from: number): number {
  let end = from;
  for (let byte = bytes[end] ?? 0; byte > 0x20 && byte < 0x7f; byte = bytes[end] ?? 0) end += 1;
  return end;
}

/** Remembered: a browser sends the same ones with every request, and reading them costs more than all the rest. */
function headOf(text: string): Head | undefined {
  let head = heads.get(text);
  if (!head) {
    head = readHead(text);
    if (!head) return undefined;
    if (heads.size >= MOST_HEADS) heads.clear();
    heads.set(text, head);
  }
  return head;
}
const heads = new Map<string, Head>();
const MOST_HEADS = 1000;

/** One header a line, as RFC 9110 writes them, and none that goes on in the next line. */
const LINE = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([!-~\x80-\xff](?:[ \t!-~\x80-\xff]*[!-~\x80-\xff])?)[ \t]*$/;
/** Headers of the connection, of a body, of another protocol, or of a page that the visitor has already. */
const NOT_PLAIN =
  /^(?:proxy-connection|content-length|transfer-encoding|trailer|expect|upgrade|if-.*|range)$/;

function readHead(text: string): Head | undefined {
  const headers = new Map<string, string>();
  for (const line of text.slice(0, -END.byteLength).split('\r\n')) {
    const [, name = '', value = ''] = LINE.exec(line) ?? [];
    const known = name.toLowerCase();
    if (known === '' || NOT_PLAIN.test(known) || headers.has(known)) return undefined;
    headers.set(known, value);
  }
  const host = headers.get('host');
  const connection = headers.get('connection') ?? 'keep-alive';
  if (host === undefined || connection.toLowerCase() !== 'keep-alive') return undefined;
  return { host, acceptEncoding: headers.get('accept-encoding') };
}
