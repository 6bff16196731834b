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
const GET = 'GET /';
const VERSION = ' HTTP/1.1';
const END = '\r\n\r\n';

/**
 * Reads a request of the plainest kind: a GET of HTTP/1.1 that came whole and alone, of one host, whose headers change
 * nothing but the encoding. Undefined for all others, right or wrong, which are for Node's own parser: this one is only
 * for requests that no two servers could understand differently.
 */
export function readPlainRequest(bytes: Buffer): PlainRequest | undefined {
  if (bytes.byteLength > LONGEST) return undefined;
  const text = bytes.toString('latin1');
  const line = text.indexOf('\r\n');
  const urlEnd = line - VERSION.length;
  if (!text.startsWith(GET) || !text.startsWith(VERSION, urlEnd) || urlEnd < GET.length - 1) return undefined;
  // An end before the end is an empty line among the headers, and none of them.
  if (!text.endsWith(END)) return undefined;
  const url = text.slice(GET.length - 1, urlEnd);
  const head = headOf(text.slice(line + 2));
  return head && /^[!-~]+$/.test(url)
    ? { url, host: head.host, acceptEncoding: head.acceptEncoding }
    : undefined;
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
  for (const line of text.slice(0, -END.length).split('\r\n')) {
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
