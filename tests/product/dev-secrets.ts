/** Private files planted in a project, and every spelling by which the development server might serve them. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { dirname, join } from 'node:path';
import { rawGet } from '../support/raw-get.ts';

const PLANTED = '{"jwtSecret":"planted-secret-7f3a-planted-secret-7f3a"}';

/** Below the clone's folder. `vault` is the data folder of the server under test, the others are planted. */
export const SECRET_PLACES = [
  'vault/secrets.json',
  'vault/planted.ts',
  '.data/secrets.json',
  '.data-demo/secrets.json',
  'own/notes.txt',
  '.data/database/base/1/1259',
  'another-name/secrets.json',
  'offers.backup',
  'offers.backup.draft',
  'any-name-without-ending',
  'offers.csv',
  'offers-2026.json',
  'src/offers.csv',
  'src/content/offers.json',
  'admin-app/offers.backup',
  'src/vault-link/secrets.json',
  'src/vault-link/1259',
  '.env',
  '.env.local',
  'src/.env',
  '.git/config',
  '.ci/run',
  '.npmrc',
  'package-lock.json',
  'commands/start.ts',
  'supabase/functions/order-submit/index.ts',
];

/** These the project has itself. */
const PRESENT = /^(?:package-lock|commands\/|supabase)/;
const DATA_FOLDER = 'vault/';

/** @param outside another data folder, outside the project */
export function plantSecrets(project: string, outside: string): void {
  for (const name of ['secrets.json', '1259']) writeFileSync(join(outside, name), PLANTED);
  for (const place of SECRET_PLACES.filter((one) => !PRESENT.test(one) && !one.startsWith(DATA_FOLDER))) {
    const file = join(project, place);
    if (place.startsWith('src/vault-link')) {
      if (!existsSync(dirname(file))) symlinkSync(outside, dirname(file));
    } else {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, place.includes('.env') ? `PLANTED='${PLANTED}'\n` : PLANTED);
    }
  }
}

/** Once the server has made its data folder: it takes no folder that holds something else. */
export function plantInDataFolder(project: string): void {
  writeFileSync(join(project, DATA_FOLDER, 'planted.ts'), PLANTED);
}

/** Spellings of a path below the clone's folder. @param path without a slash in front @param file its absolute path */
function spellingsOf(path: string, file: string): string[] {
  const encoded = [...path]
    .map((letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .join('');
  const abroad = [
    `/@fs${file}`,
    `/@fs/${file}`,
    `/@FS${file}`,
    `/@id/${file}`,
    `/@id${file}`,
    `/@id/__x00__${file}`,
  ];
  return [
    ...[`/${path}`, `//${path}`, `///${path}`, `/./${path}`, `/src/../${path}`, `/src/..%2f${path}`],
    ...[`/src/%2e%2e/${path}`, `/src/%252e%252e/${path}`, `/.%2f${path}`, `/%2f${path}`, `/\\${path}`],
    ...[
      `/src/..\\${path}`,
      `/src\\..\\${path.replaceAll('/', '\\')}`,
      `/src/..%5c${path.replaceAll('/', '%5c')}`,
    ],
    ...[
      `/${path.replaceAll('/', '//')}`,
      `/${path.replaceAll('/', '/./')}`,
      `/${path.replaceAll('/', '%2f')}`,
    ],
    ...[`/${path.replaceAll('.', '%2e')}`, `/${path.replaceAll('.', '%252e')}`, `/${encoded}`],
    ...[
      `/${encoded.replaceAll('%', '%25')}`,
      `/${path.toUpperCase()}`,
      `/${path}.`,
      `/${path}/`,
      `/${path}/.`,
    ],
    ...[`/${path}%00`, `/${path}%00.js`, `/${path}%20`, `/${path}::$DATA`, `/${path};.js`, `/${path}%3fraw`],
    ...[`/${path}%23.js`, `/${path}#.js`, `/@fs/./${path}`, `/@fs/${path}`, `/@vite/../${path}`],
    ...[`/node_modules/../${path}`, `/public/${path}`, `/src/${path}`, `/.astro/../${path}`],
    ...abroad,
    ...abroad.map((one) => one.replaceAll('/', '//')),
    ...abroad.map((one) => one.replaceAll('.', '%2e')),
    ...abroad.map((one) => `${one.slice(0, one.indexOf('/', 2))}/..${one.slice(one.indexOf('/', 2))}`),
  ];
}

/** Endings by which Vite or Astro transform a file instead of sending it. */
const ENDINGS = [
  ...[
    '?raw',
    '?import',
    '?url',
    '?import&raw',
    '?raw&import',
    '?raw?import',
    '?import&raw??',
    '?raw??',
    '?&raw',
  ],
  ...['?inline', '?import&inline', '?url&inline', '?import&url&inline', '?inline&import', '?no-inline'],
  ...[
    '?html-proxy',
    '?html-proxy&index=0.js',
    '?html-proxy&inline-css&index=0.css',
    '?direct',
    '?direct&lang.css',
  ],
  ...[
    '?worker',
    '?worker&inline',
    '?sharedworker',
    '?worker_file&type=module',
    '?worker-file',
    '?init',
    '?t=1',
  ],
  ...[
    '?.svg?import',
    '?x.svg',
    '?.wasm?init',
    '?import&?inline=1.wasm?init',
    '?lang.ts',
    '?.js',
    '?.css',
    '?v=1',
  ],
  ...['?astroDataCollectionEntry=true', '?astroContentCollectionEntry=true', '?astroRenderContent=true'],
  ...[
    '?astroContentImageFlag',
    '?astroPropagatedAssets',
    '?astroFallbackFlag',
    '?astroContentModuleFlag=true',
  ],
  ...['?astro&type=script&index=0&lang.ts', '?astro&type=style&index=0&lang.css', '?commonjs-es-import'],
  ...['.map', '.map?import', '?.map', '?sourcemap', '?mtime=1', '?vite-wasm-instance', '?rsc', '?server'],
];

/** Headers of a program, of a browser that opens a page, and of one that loads a module. */
const CLIENTS: Record<string, string>[] = [
  {},
  { accept: 'text/html' },
  { 'sec-fetch-dest': 'script', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin', accept: '*/*' },
];

/** Files requested so far. */
let files = 0;

/** Number of requests in flight. */
const AT_ONCE = 8;

/** Thousands of requests: to connect for each would take longer than the responses. */
const CONNECTIONS = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

/** Each file is requested in one of so many parts of the spellings. */
const PARTS = 3;

/**
 * Requests a file, and looks in each response for its content, plain and in base64. Each spelling has the headers of one
 * client, and each ending one prefix: the next one for the next file, so that nine files have every ending with all of both.
 * 27 files have every spelling nine times.
 */
export async function assertPrivate(port: number, path: string, file: string): Promise<void> {
  const prefixes = [`/${path}`, `/@fs${file}`, `/@id/${file}`];
  const round = Math.floor(files / CLIENTS.length);
  const spellings = spellingsOf(path, file);
  const targets = [
    ...spellings,
    ...prefixes,
    ...ENDINGS.map((ending, at) => prefixes[(at + round) % prefixes.length] + ending),
    ...['f=svg', 'f=png&w=1&h=1', ''].map(
      (rest) => `/_image?href=${encodeURIComponent(`/@fs${file}`)}&${rest}`,
    ),
    `/_image?href=${encodeURIComponent(`/${path}`)}&f=svg`,
    `/@vite/lazy?id=${encodeURIComponent(file)}&clientId=a`,
  ];
  const marks = marksOf(readFileSync(file, 'utf8'));
  const sent = targets
    .map((target, at) => ({ target, headers: CLIENTS[(at + files) % CLIENTS.length] }))
    .filter((_, at) => at >= spellings.length || at % PARTS === round % PARTS);
  files += 1;
  for (let at = 0; at < sent.length; at += AT_ONCE) {
    await Promise.all(
      sent.slice(at, at + AT_ONCE).map(async ({ target, headers }) => {
        const { status, text } = await rawGet(port, target, { host: 'localhost', ...headers }, CONNECTIONS);
        const found = marks.some((mark) => text.includes(mark));
        assert.ok(!found, `GET ${target} ${JSON.stringify(headers)} got ${status} with the file's content`);
      }),
    );
  }
}

/** What the content is recognized by: its longest line as it is, as a string in JavaScript, and in base64. */
function marksOf(content: string): string[] {
  const [line = ''] = content.split('\n').sort((one, other) => other.length - one.length);
  const plain = line.trim().slice(0, 50);
  assert.ok(plain.length >= 20, 'long enough to occur nowhere else');
  // Base64 depends on where the text begins within three bytes.
  const encoded = [0, 1, 2].map((shift) => Buffer.from(plain.slice(shift)).toString('base64').slice(0, 40));
  return [plain, JSON.stringify(plain).slice(1, -1), ...encoded];
}
