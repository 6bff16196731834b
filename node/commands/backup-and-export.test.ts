/** backup, restore, export and erase as commands on a data folder whose product does not run. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Offer } from '#contract/offer.ts';
import { mountSmallDisk } from '../../tests/abuse/small-disk.ts';
import { BASE_ENV } from '../../tests/support/base-environment.ts';
import { assertOutput, NODE, type ToolResult } from '../../tests/support/terminal.ts';
import { takeLock } from '../config/lock-file.ts';
import { copyBooted, makeAdministrator } from '../embedded-backend/booted-database.fixture.ts';
import { takeDataFolder } from '../embedded-backend/data-folder.ts';
import { openDatabase } from '../embedded-backend/open-database.ts';
import { proveIdentity } from '../embedded-backend/prove-identity.ts';

/** More than one page of the export (offers.ts), and than one response of the data API. */
const OFFERS = 2_500;
const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };

const root = mkdtempSync(join(tmpdir(), 'backup-and-export-'));
after(() => rmSync(root, { recursive: true, force: true }));
const GOOD_BACKUP = join(root, 'good.backup');
const OLD_BACKUP = 'storefront-2026-01-01T00-00-00.000Z.backup';
const newFolder = () => mkdtempSync(join(root, 'folder-'));

/** Runs a command without blocking this process, whose server may have to respond to it. */
function run(
  script: string,
  args: string[],
  dataDir: string,
  onStart: (child: ChildProcess) => void = () => {},
): Promise<ToolResult> {
  const child = spawn(
    NODE,
    ['--disable-warning=ExperimentalWarning', `node/commands/${script}.ts`, ...args],
    {
      env: { ...BASE_ENV, DATA_DIR: dataDir },
    },
  );
  onStart(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, text: text.trim() }));
  });
}

/** The data folder of `GOOD_BACKUP`. */
const dataDir = newFolder();
// For every test: each can be run alone.
before(
  async () => {
    await inDatabase(dataDir, async ({ sql }) => {
      await sql.query(
        `insert into public.offers (domain_name, offer_amount, customer_name, customer_email, created_at)
         select 'lap.app', n::text, 'Ada', 'ada@example.com', '2026-01-01'::timestamptz + (n / 7) * interval '1 second'
         from generate_series(1, $1::integer) as n`,
        [OFFERS],
      );
    });
    // On a slow machine the database may be restarted first, which is reported above.
    assertOutput(await run('backup', [GOOD_BACKUP], dataDir), 0, /^Wrote /m);
  },
  { timeout: 300_000 },
);

describe('with 2,500 offers', () => {
  for (const [ending, read] of [
    ['json', (text: string) => (JSON.parse(text) as Offer[]).map((offer) => offer.offer_amount)],
    [
      'csv',
      (text: string) =>
        text
          .trim()
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(',')[2]),
    ],
  ] as const) {
    test(`export as ${ending} writes each of 2,500 offers once`, async () => {
      const file = join(newFolder(), `offers.${ending}`);
      assertOutput(await run('export', [file], dataDir), 0, /^Wrote 2,500 offers to /);
      const amounts = read(readFileSync(file, 'utf8')).map(Number);
      assert.deepEqual(
        amounts.sort((a, b) => a - b),
        Array.from({ length: OFFERS }, (_, at) => at + 1),
      );
    });
  }

  test('restore brings back all offers, and no session or refresh token', async () => {
    const [folder, restored] = [newFolder(), newFolder()];
    const file = join(folder, 'offers.backup');
    const tokens: string[] = [];
    const old = join(folder, 'old.backup');
    await inDatabase(dataDir, async ({ sql, signIn }) => {
      tokens.push(await signIn());
      // As older versions wrote it: the files as they are.
      writeFileSync(old, Buffer.from(await (await sql.dumpDataDir('gzip')).arrayBuffer()));
      const { rows } = await sql.query<{ n: number }>('select count(*)::integer as n from auth.sessions');
      assert.deepEqual(rows, [{ n: 1 }]);
    });
    assertOutput(await run('backup', [file], dataDir), 0, /^Wrote /);
    assert.deepEqual(readdirSync(folder), ['offers.backup', 'old.backup'], 'no working folder is left');
    assertOutput(
      await run('restore', [file], restored),
      0,
      /^Restored 2,500 offers to \S+\. Found no erasures\.json beside the backup: .+\. Start the product/,
    );

    // With the same keys, so that nothing but the restoring itself ends the sessions.
    const again = newFolder();
    copyFileSync(join(dataDir, 'secrets.json'), join(again, 'secrets.json'));
    assertOutput(await run('restore', [old], again), 0, /^Restored 2,500 offers to /);
    await inDatabase(again, async ({ sql, renew }) => {
      for (const table of ['auth.sessions', 'auth.refresh_tokens', 'private.admin_sessions']) {
        assert.deepEqual((await sql.query(`select 1 from ${table}`)).rows, [], table);
      }
      assert.equal(await renew(tokens[0] ?? ''), 400);
      const { rows } = await sql.query(
        'select paused_before is not null as paused from private.message_state',
      );
      assert.deepEqual(rows, [{ paused: true }], 'messages of the backup are held back');
    });
  });

  test('restore rejects pipes and newer versions, and reads the erasures beside what a link leads to', async () => {
    const newer = newFolder();
    const [pipe, made, link] = [join(root, 'pipe'), join(newer, 'newer.backup'), join(root, 'link.backup')];
    spawnSync('mkfifo', [pipe]);
    assertOutput(await run('restore', [pipe], newFolder()), 1, /pipe is not a file\. Name one/);

    const ofFuture = newFolder();
    await inDatabase(ofFuture, async ({ sql }) => {
      await sql.exec(
        "insert into supabase_migrations.schema_migrations (version, name, created_by) values ('29991231000000', 'x', '9.8.7')",
      );
      writeFileSync(made, Buffer.from(await (await sql.dumpDataDir('gzip')).arrayBuffer()));
    });
    symlinkSync(made, link);
    writeFileSync(join(newer, 'erasures.json'), 'damaged');
    assertOutput(await run('restore', [link], newFolder()), 1, /erasures\.json is damaged/);
    rmSync(join(newer, 'erasures.json'));
    const restored = newFolder();
    assertOutput(
      await run('restore', [link], restored),
      1,
      /link\.backup was written by version 9\.8\.7 of this product \(migration 29991231000000\), and this is version [\d.]+\. Update the product first\.$/,
    );
    assert.ok(!existsSync(join(restored, 'database')));
    assertOutput(
      await run('export', [join(newer, 'offers.csv')], ofFuture),
      1,
      /^The database was written by version 9\.8\.7 .* run npm run restore -- FILE with the backup that was made before the update/,
    );
  });
});

test('restore voids recovery codes and the codes up to now', async () => {
  const [folder, restored] = [newFolder(), newFolder()];
  const step = Math.floor(Date.now() / 30_000);
  const file = await rawBackup(folder, async ({ sql, signIn }) => {
    await signIn();
    await sql.exec(`insert into private.admin_factors (user_id, sealed, key_id, last_step, recovery_hashes)
      select user_id, 'sealed', 'key', ${step - 1}, '{one}' from private.admins`);
  });
  assertOutput(await run('restore', [file], restored), 0, /^Restored 0 offers to /);
  await inDatabase(restored, async ({ sql }) => {
    for (const code of [`${step}, null`, `null, 'one'`]) {
      const { rows } = await sql.query<{ status: string }>(
        `select public.open_admin_session(user_id, 'session', 12, 120, ${code}) ->> 'status' as status from private.admins`,
      );
      assert.deepEqual(rows, [{ status: 'wrong_code' }], code);
    }
  });
});

test('restore says how many links of buyers open again', async () => {
  const [folder, restored] = [newFolder(), newFolder()];
  const file = await rawBackup(folder, async ({ sql }) => {
    await sql.exec(`
      insert into public.offers (domain_name, offer_amount, customer_name, customer_email)
      select 'lap.app', n::text, 'Ada', 'ada@example.com' from generate_series(1, 3) as n;
      insert into private.offer_links (token_hash, offer_id, number, created_at)
      select md5(id::text) || md5(id::text), id, 1, now() - case offer_amount when '3' then interval '91 days' else '0' end
      from public.offers;
    `);
  });
  const { code, text } = await run('restore', [file], restored);
  assert.equal(code, 0, text);
  assert.match(
    text,
    /\nLinks of buyers that open their offers again: 2, also those that New link ended after/,
  );
});

test('backup and export reject paths in published folders', async () => {
  const link = join(root, 'public-link');
  symlinkSync(resolve('public'), link);
  for (const folder of ['public', 'src', link]) {
    for (const [script, name] of [
      ['export', 'offers.csv'],
      ['backup', 'offers.backup'],
    ] as const) {
      assertOutput(
        await run(script, [join(folder, name)], newFolder()),
        1,
        /^The file is “.+”, which is inside the project’s folder (?:public|src)\/\./,
      );
    }
  }
});

test('a backup needs the extension .backup', async () => {
  for (const name of ['offers.tgz', 'offers', 'offers.backup.txt']) {
    assertOutput(
      await run('backup', [join(newFolder(), name)], newFolder()),
      1,
      /^The file’s name must end in \.backup/,
    );
  }
});

test('an interrupted backup leaves no copy of the database, or one that the next backup removes', {
  timeout: 300_000,
}, async () => {
  const [dataDir, folder] = [newFolder(), newFolder()];
  const { build, release: releaseData } = await takeDataFolder(dataDir);
  await build(copyBooted);
  releaseData();
  const file = join(folder, 'offers.backup');
  const copies = () => readdirSync(folder).filter((name) => name.includes('.work-'));
  /** Sends the signal when the copy is being made. */
  const interrupt = (signal: NodeJS.Signals) =>
    run('backup', [file], dataDir, (child) => {
      const timer = setInterval(() => {
        if (!copies().some((name) => existsSync(join(folder, name, 'copy/PG_VERSION')))) return;
        clearInterval(timer);
        child.kill(signal);
      }, 5);
      child.once('exit', () => clearInterval(timer));
    });
  assert.equal((await interrupt('SIGHUP')).code, 1);
  assert.deepEqual(readdirSync(folder), []);
  assert.equal((await interrupt('SIGKILL')).code, null);
  assert.equal(copies().length, 1);

  mkdirSync(join(folder, 'album.work-photos'));
  const inUse = 'other.backup.work-abc123';
  mkdirSync(join(folder, inUse));
  const release = await takeLock(join(folder, inUse, 'backup.lock'), 0);
  assertOutput(await run('backup', [file], dataDir), 0, /^Wrote /);
  release?.();
  assert.deepEqual(readdirSync(folder).sort(), ['album.work-photos', 'offers.backup', inUse]);
});

describe('with a database that returns wrong results', () => {
  let close: () => Promise<void>;
  afterEach(() => close());

  async function folderOf(responses: Responses): Promise<string> {
    const database = await databaseOf(responses);
    close = database.close;
    return database.dataDir;
  }

  const offer = {
    id: '4dd50f6f-2172-4e49-9ea9-9ea9345d195e',
    domain_name: 'lap.app',
    offer_amount: '$1',
    customer_name: 'Ada',
    customer_email: 'ada@example.com',
    created_at: '2026-11-23T02:15:01.35+00:00',
    status: 'pending',
    held: false,
  };

  for (const [offers, count] of [
    [[offer], 3],
    [[], 2],
  ] as const) {
    test(`export fails, and leaves no file, with ${offers.length} of ${count} offers`, async () => {
      const dataDir = await folderOf({
        export_offers: { body: JSON.stringify({ offers, has_messages: false }) },
        count_offers: { body: String(count) },
      });
      for (const ending of ['csv', 'json']) {
        const folder = newFolder();
        const outcome = await run('export', [join(folder, `offers.${ending}`)], dataDir);
        assertOutput(
          outcome,
          1,
          new RegExp(`^No file was written: .* could be read, the database counts ${count}\\.`),
        );
        assert.deepEqual(readdirSync(folder), []);
      }
    });
  }

  test('backup fails, and leaves no file, when the copy has another number of offers', async () => {
    const body = readFileSync(GOOD_BACKUP);
    for (const offers of ['1-2', '']) {
      const folder = newFolder();
      const isDated = offers === '';
      if (isDated) writeFileSync(join(folder, OLD_BACKUP), '');
      const dataDir = await folderOf({ backup: { body, offers } });
      assertOutput(
        await run('backup', isDated ? ['--keep', '1', folder] : [join(folder, 'offers.backup')], dataDir),
        1,
        /^No backup was written: the copy has 2500 offers/,
      );
      assert.deepEqual(readdirSync(folder), isDated ? [OLD_BACKUP] : []);
      if (offers !== '') await close();
    }
  });
});

describe('backup --keep', () => {
  let database: Awaited<ReturnType<typeof databaseOf>>;
  before(async () => {
    database = await databaseOf({ backup: { body: readFileSync(GOOD_BACKUP), offers: '2500-2500' } });
  });
  after(() => database.close());

  test('removes its own oldest files only, also when two run at once', async () => {
    const folder = newFolder();
    const others = [
      'offers.backup',
      'storefront-2026-01-01.backup',
      'storefront-2026-01-01T00-00-00.000Z.backup.gz',
      'my-storefront-2026-01-01T00-00-00.000Z.backup',
    ];
    const sameName = 'storefront-2025-01-01T00-00-00.000Z.backup';
    for (const name of others) writeFileSync(join(folder, name), '');
    mkdirSync(join(folder, sameName));
    for (const day of ['01', '02', '03']) writeFileSync(join(folder, nameOf(`2026-01-${day}`)), '');
    // As a clock that was set back leaves one.
    writeFileSync(join(folder, nameOf('2099-01-01')), '');
    const backUp = () => run('backup', ['--keep', '3', folder], database.dataDir);
    const own = () =>
      readdirSync(folder)
        .filter((name) => ![...others, sameName, 'erasures.json'].includes(name))
        .sort();
    assertOutput(await backUp(), 0, /^Wrote \S+ and removed the 2 oldest\. It holds personal data/);
    const [kept, later = '', written = ''] = own();
    assert.deepEqual([kept, later], [nameOf('2026-01-02'), nameOf('2026-01-03')]);
    assert.match(written, /^storefront-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.backup$/);
    assert.ok(Math.abs(Date.now() - timeOf(written)) < 300_000, written);
    assert.equal(own().length, 3);
    for (const name of [written, 'erasures.json']) {
      assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
    }

    for (const { code, text } of await Promise.all([backUp(), backUp()])) assert.equal(code, 0, text);
    assert.equal(own().length, 3);
    assert.equal(own()[0], written, 'the two new ones are kept, too');
    assert.deepEqual(
      readdirSync(folder).filter((name) => [...others, sameName].includes(name)).length,
      others.length + 1,
    );
  });

  test('removes the oldest also if the erasures beside them could not be read, and fails', async () => {
    const folder = newFolder();
    for (const day of ['01', '02']) writeFileSync(join(folder, nameOf(`2026-01-${day}`)), '');
    writeFileSync(join(folder, 'erasures.json'), 'damaged');
    assertOutput(
      await run('backup', ['--keep', '2', folder], database.dataDir),
      1,
      /^Wrote \S+\.backup, but \S+erasures\.json is damaged/,
    );
    const [kept, written, ...others] = readdirSync(folder).filter((name) => name.endsWith('.backup'));
    assert.deepEqual([kept, others], [nameOf('2026-01-02'), []]);
    assert.notEqual(written, undefined);
  });

  test('keeps the older backups when the disk is full', async (context) => {
    const disk = mountSmallDisk(10);
    if (!disk) return context.skip('this user may not mount a small disk');
    try {
      writeFileSync(join(disk.folder, OLD_BACKUP), 'old');
      assertOutput(
        await run('backup', ['--keep', '1', disk.folder], database.dataDir),
        1,
        /^No backup was written: the database could not be copied to [^ :]+: ENOSPC, no space left on device\. Correct that, .+ Earlier backups are as they were\.$/,
      );
      assert.deepEqual(readdirSync(disk.folder), [OLD_BACKUP]);
    } finally {
      disk.remove();
    }
  });

  const nameOf = (day: string) => `storefront-${day}T00-00-00.000Z.backup`;
  const timeOf = (name: string) =>
    Date.parse(name.slice('storefront-'.length, -'.backup'.length).replace(/T(..)-(..)-/, 'T$1:$2:'));
});

type Responses = Record<string, { body: string | Buffer; offers?: string }>;

/** A data folder whose running.json leads to a server with these responses. */
async function databaseOf(responses: Responses) {
  const dataDir = newFolder();
  mkdirSync(join(dataDir, 'database'));
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify({ secretKey: 'sb_secret_t' }));
  const server = createServer((request, response) => {
    const { port } = server.address() as { port: number };
    const [, name = '', challenge] =
      /\/(?:control|rest\/v1\/rpc)\/([\w-]+)(?:\?challenge=(.*))?/.exec(request.url ?? '') ?? [];
    if (challenge) {
      response.end(proveIdentity('sb_secret_t', `http://127.0.0.1:${port}`, challenge));
      return;
    }
    const { body = '', offers = '' } = responses[name] ?? {};
    response.writeHead(200, { 'x-offers': offers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as { port: number };
  writeFileSync(
    join(dataDir, 'running.json'),
    JSON.stringify({ origin: `http://127.0.0.1:${address.port}` }),
  );
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { dataDir, close };
}

interface Opened {
  sql: Awaited<ReturnType<typeof openDatabase>>['sql'];
  /** Returns the refresh token. */
  signIn(): Promise<string>;
  /** Returns the status. */
  renew(refreshToken: string): Promise<number>;
}

/** Fills a database, and returns a backup of it as older versions wrote them: the files as they are. */
async function rawBackup(folder: string, fill: (opened: Opened) => Promise<void>): Promise<string> {
  const file = join(folder, 'offers.backup');
  await inDatabase(newFolder(), async (opened) => {
    await fill(opened);
    writeFileSync(file, Buffer.from(await (await opened.sql.dumpDataDir('gzip')).arrayBuffer()));
  });
  return file;
}

/** Opens the database of a folder, as one run of the product does. */
async function inDatabase(dataDir: string, act: (opened: Opened) => Promise<void>): Promise<void> {
  const folder = await takeDataFolder(dataDir);
  if (!existsSync(folder.database)) await folder.build(copyBooted);
  const keys = { ...folder.secrets, publishableKey: 'sb_publishable_t' };
  const database = await openDatabase(folder, keys);
  const token = (grant: string, body: object) =>
    database.fetch(
      new Request(`http://embedded/auth/v1/token?grant_type=${grant}`, {
        method: 'POST',
        headers: { apikey: keys.secretKey, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
  try {
    await act({
      sql: database.sql,
      signIn: async () => {
        await makeAdministrator(database, OWNER);
        const { refresh_token } = (await (await token('password', OWNER)).json()) as {
          refresh_token: string;
        };
        return refresh_token;
      },
      renew: async (refresh_token) => (await token('refresh_token', { refresh_token })).status,
    });
  } finally {
    await database.close();
    folder.release();
  }
}
