/**
 * Requests in spellings that two parsers may understand differently, as fast-check arbitraries. A test sends each through
 * the gateway to an upstream that records what arrives, and compares that with what the gateway checked.
 */
import { gzipSync } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';

/** One request, with everything as it is sent. */
export interface OddRequest {
  readonly method: string;
  /** The request target: path and query, or a whole URL. */
  readonly target: string;
  /** In order, with repeats; a name may have odd letter case or blanks, a value blanks around it. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** Sent in chunks of so many bytes; 0: with a Content-Length. */
  readonly chunkSize: number;
}

/** The bytes of a request on the wire. @param host the value of its one Host header */
export function bytesOf({ method, target, headers, body, chunkSize }: OddRequest, host: string): Uint8Array {
  const length = chunkSize > 0 ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.byteLength}`;
  const lines = headers.map(([name, value]) => `${name}:${value}`);
  const head = [`${method} ${target} HTTP/1.1`, `Host: ${host}`, ...lines, length, 'Connection: close'];
  const text = Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1');
  return Buffer.concat([text, chunkSize > 0 ? chunked(body, chunkSize) : body]);
}

function chunked(body: Uint8Array, size: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < body.byteLength; at += size) {
    const chunk = body.subarray(at, at + size);
    // Zeros in front of the length and an extension behind it are allowed, and easily misread.
    const length = `${at === 0 ? '000' : ''}${chunk.byteLength.toString(16)}${at === 0 ? ';ext=1' : ''}\r\n`;
    chunks.push(Buffer.from(length), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}

/** What a path may lead to: routes the gateway has, with the method, query and body of a good request. */
const ROUTES = [
  {
    method: 'GET',
    path: '/rest/v1/offers',
    query: [
      ['select', '*'],
      ['order', 'created_at.desc'],
    ],
    body: '',
  },
  {
    method: 'PATCH',
    path: '/rest/v1/offers',
    query: [['id', 'eq.00000000-0000-4000-8000-000000000000']],
    body: '{"status":"accepted"}',
  },
  { method: 'POST', path: '/rest/v1/rpc/offer_pages', query: [], body: '{"page_size":10}' },
  {
    method: 'POST',
    path: '/auth/v1/token',
    query: [['grant_type', 'refresh_token']],
    body: '{"refresh_token":"a"}',
  },
  { method: 'GET', path: '/auth/v1/user', query: [], body: '' },
  { method: 'POST', path: '/auth/v1/logout', query: [['scope', 'local']], body: '' },
  { method: 'GET', path: '/functions/v1/bot-check', query: [['domain', 'lap.app']], body: '' },
  {
    method: 'POST',
    path: '/functions/v1/admin-auth',
    query: [],
    body: '{"email":"a@example.com","password":"b"}',
  },
] as const;

/** Paths that must not be reachable through an allowed one. */
const CLOSED = [
  'control/offers',
  'rest/v1/rpc/submit_offer',
  'auth/v1/signup',
  'auth/v1/admin/users',
  'token',
  'rest/v1/',
];

const DOTS = ['..', '%2e%2e', '.%2e', '%2E.', '..;', '..;a=b', '%252e%252e', '.', '%2e', '...'];
const SLASHES = ['/', '//', '\\', '%2f', '%5c', '%252f', '/./', ';/', '/;a=b/'];
const TAILS = [
  '/',
  '//',
  '.',
  '/.',
  '/..',
  ';',
  ';a=b',
  '%00',
  '%20',
  '%09',
  '%0a',
  '%23',
  '%3f',
  '#',
  '%',
  '\\',
  '~',
  ':',
  '*',
];

/** A letter written as its percent-encoding, in either letter case, or encoded twice. */
const encodedLetter = (letter: string): Arbitrary<string> => {
  const hex = letter.charCodeAt(0).toString(16).padStart(2, '0');
  return fc.constantFrom(`%${hex}`, `%${hex.toUpperCase()}`, `%25${hex}`);
};

/** A text of which one letter is encoded or in the other letter case: `gr%61nt_type`, `/AUTH/v1/token`. */
function oddSpelling(text: string): Arbitrary<string> {
  if (text === '') return fc.constant('');
  return fc.nat(text.length - 1).chain((at) => {
    const letter = text[at] ?? '';
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    return fc
      .oneof(encodedLetter(letter), fc.constant(other))
      .map((changed) => text.slice(0, at) + changed + text.slice(at + 1));
  });
}

/**
 * Spellings of a path: encoded letters, `/x/../token`, doubled, encoded and backward slashes, `;` parameters, odd ends,
 * detours to closed paths, and the absolute form with the right or another host.
 */
function oddPath(path: string): Arbitrary<string> {
  const parts = path.split('/').slice(1);
  const joined = fc.constantFrom(...SLASHES).chain((slash) =>
    fc.nat(parts.length - 1).map(
      (at) =>
        `/${parts
          .slice(0, at)
          .map((part) => `${part}/`)
          .join('')}${slash}${parts.slice(at).join('/')}`,
    ),
  );
  const detour = fc
    .tuple(fc.constantFrom('x', ...parts), fc.constantFrom(...DOTS), fc.nat(parts.length))
    .map(([name, dots, at]) => `/${[...parts.slice(0, at), name, dots, ...parts.slice(at)].join('/')}`);
  const outOfRoute = fc
    .tuple(fc.array(fc.constantFrom(...DOTS), { minLength: 1, maxLength: 4 }), fc.constantFrom(...CLOSED))
    .map(([dots, closed]) => `${path}/${dots.join('/')}/${closed}`);
  const odd = fc.oneof(
    oddSpelling(path),
    joined,
    detour,
    outOfRoute,
    fc.constantFrom(...TAILS).map((tail) => path + tail),
    fc.constantFrom(...CLOSED).map((closed) => `/${closed}`),
  );
  const absolute = fc
    .tuple(
      fc.constantFrom(
        'http://localhost',
        'HTTP://LOCALHOST:80',
        'http://lap.app',
        'http://owner@localhost',
        'http:/',
        '//localhost',
      ),
      odd,
    )
    .map(([origin, one]) => origin + one);
  return fc.oneof(
    { weight: 4, arbitrary: odd },
    { weight: 1, arbitrary: absolute },
    { weight: 1, arbitrary: fc.constant(path) },
  );
}

/** Pairs with which a route would do something else. */
const HARMFUL_PAIRS: [string, string][] = [
  ['grant_type', 'password'],
  ['grant_type', 'pkce'],
  ['scope', 'global'],
  ['select', 'customer_email'],
  ['id', 'not.is.null'],
  ['or', '(status.eq.pending)'],
  ['columns', 'status'],
  ['on_conflict', 'id'],
  ['apikey', 'sb_secret_guess'],
  ['domain', 'evil.example'],
  ['purpose', 'sign-in'],
];

/** A name in the forms that some parsers take for the same one. */
const oddName = (name: string): Arbitrary<string> =>
  fc.oneof(
    oddSpelling(name),
    fc.constantFrom(
      `${name}[]`,
      `${name}%5B%5D`,
      `${name}[0]`,
      `+${name}`,
      `${name}+`,
      `%20${name}`,
      `${name}%00`,
      `${name}.`,
      `%EF%BB%BF${name}`,
      `${name};`,
      '',
    ),
    fc.constant(name),
  );

/**
 * A query, from `?` on: names encoded, repeated, empty, with array brackets; values encoded, with `+` and `%00`; separated
 * by `&`, `;`, `&&` or `?`; harmful pairs before or behind the good ones.
 */
function oddQuery(good: readonly (readonly [name: string, value: string])[]): Arbitrary<string> {
  const pair = fc
    .constantFrom(...HARMFUL_PAIRS, ...good)
    .chain(([name, value]) =>
      fc
        .tuple(
          oddName(name),
          fc.oneof(
            oddSpelling(value),
            fc.constantFrom(value, `${value}+`, `${value}%00`, `+${value}`, '', `${value}#`),
          ),
          fc.constantFrom('=', '==', '%3d', ''),
        )
        .map(([oddOne, oddValue, sign]) => oddOne + sign + oddValue),
    );
  // Often the good pairs alone, in plain or odd spelling: those are let through, and then compared.
  const goodPairs = fc.tuple(
    ...good.map(([name, value]) =>
      fc.oneof(fc.constant(value), oddSpelling(value)).map((odd) => `${name}=${odd}`),
    ),
  );
  const others = fc.oneof(fc.constant([]), fc.array(pair, { maxLength: 3 }));
  return (
    fc
      .tuple(others, goodPairs, others, fc.constantFrom('&', '&', '&', ';', '&&', '?', '&amp;', '%26', '&=&'))
      .map(([before, plain, behind, separator]) => [...before, ...plain, ...behind].join(separator))
      // No character beyond Latin-1 goes on the wire unencoded.
      .map((query) => (query === '' ? '' : `?${query.replace(/[^\x21-\xff]/g, encodeURIComponent)}`))
  );
}

/** Headers that change what a request means to some hop. */
const HARMFUL_HEADERS: [string, string][] = [
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-HTTP-Method', 'PUT'],
  ['X-Method-Override', 'POST'],
  ['X-Original-URL', '/control/backup'],
  ['X-Rewrite-URL', '/control/backup'],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-Forwarded-For', '192.0.2.1'],
  ['X-Forwarded-Prefix', '/control'],
  ['Forwarded', 'for=192.0.2.1;host=evil.example'],
  ['X-Client-Address', '192.0.2.1'],
  ['X-Gateway-Key', 'guess'],
  ['Sb-Forwarded-For', '192.0.2.1'],
  ['apikey', 'sb_secret_guess'],
  ['Authorization', 'Bearer sb_secret_guess'],
  ['Prefer', 'count = planned'],
  ['Prefer', 'resolution=merge-duplicates, return=representation'],
  ['Accept-Profile', 'private'],
  ['Content-Profile', 'private'],
  ['Range', '0-99999'],
  ['Accept', 'application/vnd.pgrst.plan'],
  ['Content-Type', 'text/csv'],
  ['Content-Location', '/control/backup'],
  ['Connection', 'apikey, authorization'],
  ['Expect', '100-continue'],
  ['Upgrade', 'h2c'],
];

/** A header in odd letter case, with blanks around its value, `_` for `-`, folded over two lines, or twice. */
const oddHeader: Arbitrary<readonly (readonly [name: string, value: string])[]> = fc
  .tuple(
    fc.constantFrom(...HARMFUL_HEADERS),
    fc.constantFrom<(name: string) => string>(
      (name) => name,
      (name) => name.toUpperCase(),
      (name) => name.toLowerCase(),
      (name) => name.replaceAll('-', '_'),
      (name) => `${name} `,
      (name) => ` ${name}`,
    ),
    fc.constantFrom<(value: string) => string>(
      (value) => value,
      (value) => ` ${value}  `,
      (value) => `\t${value}\t`,
      (value) => `\r\n ${value}`,
      (value) => ` ${value}, ${value}`,
      (value) => `${value}\x0b`,
      () => '',
    ),
    fc.integer({ min: 1, max: 2 }),
  )
  .map(([[name, value], spelled, padded, times]) =>
    Array.from({ length: times }, () => [spelled(name), padded(value)] as const),
  );

/** A body with the headers that describe it. */
interface OddBody {
  readonly bytes: Uint8Array;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/**
 * A JSON body in another encoding or with odd members: another charset, a byte order mark, UTF-16, gzip with and without
 * its header, repeated keys, `__proto__`, and media types that some parsers read as JSON.
 * @param good the body of a good request; empty: none
 */
function oddBody(good: string): Arbitrary<OddBody> {
  if (good === '') {
    const unexpected = fc.constantFrom(
      '',
      '{}',
      '{"a":1}',
      '0\r\n\r\n',
      'GET /control/backup HTTP/1.1\r\nHost: a\r\n\r\n',
    );
    return unexpected.map((text) => ({ bytes: Buffer.from(text), headers: [] }));
  }
  const typed = (text: string | Uint8Array, type: string, ...more: [string, string][]): OddBody => ({
    bytes: Buffer.from(text as string),
    headers: [['Content-Type', type], ...more],
  });
  const json = 'application/json';
  const inner = good.slice(1, -1);
  const [key = ''] = /"[^"]+"/.exec(good) ?? [];
  return fc.constantFrom(
    typed(good, json),
    ...[
      '; charset=utf-16',
      '; charset=iso-8859-1',
      '; charset=utf-7',
      ';charset="utf-8"',
      ';',
      ' ',
      ', text/csv',
      '; boundary=a',
    ].map((end) => typed(good, json + end)),
    ...[
      'APPLICATION/JSON',
      'text/json',
      'text/csv',
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/vnd.pgrst.object+json',
      '',
    ].map((type) => typed(good, type)),
    typed(good, json, ['Content-Type', 'text/csv']),
    typed(good, 'text/csv', ['Content-Type', json]),
    typed(`\uFEFF${good}`, json),
    typed(Buffer.from(good, 'utf16le'), json),
    typed(Buffer.from(`\uFEFF${good}`, 'utf16le'), `${json}; charset=utf-16`),
    typed(gzipSync(good), json, ['Content-Encoding', 'gzip']),
    typed(gzipSync(good), json),
    typed(good, json, ['Content-Encoding', 'gzip']),
    typed(good, json, ['Content-Encoding', 'identity']),
    typed(`{${inner},${key}:"other"}`, json),
    typed(`{${key}:"other",${inner}}`, json),
    typed(
      `{${key.replace(/"(.)/, (_, letter: string) => `"\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)}:"other",${inner}}`,
      json,
    ),
    typed(`{"__proto__":{"role":"service_role"},${inner}}`, json),
    typed(`{"constructor":{"prototype":{}},${inner}}`, json),
    typed(`{${inner},"id":"00000000-0000-4000-8000-000000000001"}`, json),
    typed(`[${good},${good}]`, json),
    typed(`${good}${good}`, json),
    typed(`${good}\n\0`, json),
    typed(`/**/${good}`, json),
    typed(`{${inner},}`, json),
    typed(good.replaceAll('"', "'"), json),
    typed(Buffer.from(good.replace('a', '\xff'), 'latin1'), json),
    typed(`${key.slice(1, -1)}=other`, 'application/x-www-form-urlencoded'),
  );
}

/** A whole request to one of the gateway's routes of which a few parts are odd. */
export const oddRequest: Arbitrary<OddRequest> = fc.constantFrom(...ROUTES).chain((route) => {
  const plainQuery = route.query.length > 0 ? `?${route.query.map((one) => one.join('=')).join('&')}` : '';
  const plainBody: OddBody = {
    bytes: Buffer.from(route.body),
    headers: route.body === '' ? [] : [['Content-Type', 'application/json']],
  };
  return fc
    .record({
      method: fc.oneof(
        { weight: 6, arbitrary: fc.constant<string>(route.method) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            'GET',
            'HEAD',
            'POST',
            'PUT',
            'PATCH',
            'DELETE',
            'OPTIONS',
            'get',
            'QUERY',
          ),
        },
      ),
      path: fc.oneof(fc.constant<string>(route.path), oddPath(route.path)),
      query: fc.oneof(fc.constant(plainQuery), oddQuery(route.query)),
      headers: fc.array(oddHeader, { maxLength: 3 }),
      body: fc.oneof(fc.constant(plainBody), oddBody(route.body)),
      chunkSize: fc.constantFrom(0, 0, 0, 1, 7, 10_000),
    })
    .map(({ method, path, query, headers, body, chunkSize }) => ({
      method,
      target: path + query,
      headers: [...body.headers, ...headers.flat()],
      body: body.bytes,
      chunkSize,
    }));
});
