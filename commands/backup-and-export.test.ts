/** backup, restore, export and erase as commands on a data folder whose product does not run. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs, {
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
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { after, afterEach, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Run } from '../process/command.ts';
import { takeLock } from '../process/lock-file.ts';
import {
  callAuth,
  copyBooted,
  leadTo,
  makeAdministrator,
} from '../server/embedded/booted-database.fixture.ts';
import { openCommandSocket } from '../server/embedded/command-socket.ts';
import { OFFERS_HEADER } from '../server/embedded/control.ts';
import { takeDataFolder } from '../server/embedded/data-folder.ts';
import { noteErasure, readErasures, writeErasures } from '../server/embedded/erasures.ts';
import { openDatabase } from '../server/embedded/open-database.ts';
import { mountSmallDisk } from '../tests/abuse/small-disk.ts';
import { BASE_ENV } from '../tests/support/base-environment.ts';
import { runCommand } from '../tests/support/run-command.ts';
import { assertOutput, NODE, runTool, type ToolResult } from '../tests/support/terminal.ts';
import { withWorkFolder } from './backup/work-folder.ts';
import { assertComplete, run as backup } from './backup.ts';
import { run as exportOffers } from './export.ts';
import { run as restore } from './restore.ts';

const OFFERS = 500;
const FACTORS_FILE = 'second-factors.json';
const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };

const root = mkdtempSync(join(tmpdir(), 'backup-and-export-'));
after(() => rmSync(root, { recursive: true, force: true }));
const GOOD_BACKUP = join(mkdtempSync(join(root, 'good-')), 'good.backup');
const OLD_BACKUP = 'storefront-2026-01-01T00-00-00.000Z.backup';
const newFolder = () => mkdtempSync(join(root, 'folder-'));

const run = (command: Run, args: string[], dataDir: string): Promise<ToolResult> =>
  runCommand(command, args, { env: { DATA_DIR: dataDir } });

function spawnBackup(args: string[], dataDir: string) {
  return spawn(NODE, ['--disable-warning=ExperimentalWarning', 'commands/backup.ts', ...args], {
    env: { ...BASE_ENV, DATA_DIR: dataDir },
  });
}

/** Without blocking this process, whose server responds to it. */
async function runProcess(args: string[], dataDir: string): Promise<ToolResult> {
  const child = spawnBackup(args, dataDir);
  const [text, [code]] = await Promise.all([textOf(child.stderr), once(child, 'exit')]);
  return { code: code as number | null, text: text.trim() };
}

/** The data folder of `GOOD_BACKUP`. */
const dataDir = newFolder();
// For every test: each can be run alone.
before(
  async () => {
    await inDatabase(dataDir, async ({ sql, signIn }) => {
      await signIn();
      await insertOffers(sql, OFFERS);
    });
    writeFileSync(join(dataDir, FACTORS_FILE), JSON.stringify([OWNER.email]));
    // On a slow machine the database may be restarted first, which is reported above.
    assertOutput(await run(backup, [GOOD_BACKUP], dataDir), 0, /^Wrote /m);
    assert.deepEqual(
      readdirSync(dirname(GOOD_BACKUP)),
      ['good.backup', FACTORS_FILE],
      'nothing else is left',
    );
  },
  { timeout: 300_000 },
);

test('restore brings back all offers, and replays the erasures beside the backup and in the data folder', async () => {
  const folder = newFolder();
  const file = join(folder, 'offers.backup');
  copyFileSync(GOOD_BACKUP, file);
  // As if the owner had enrolled a factor after the backup.
  copyFileSync(join(dataDir, FACTORS_FILE), join(folder, FACTORS_FILE));
  const asked = newFolder();
  const unanswered = await run(restore, [file], asked);
  assert.equal(unanswered.code, 1);
  assert.match(
    unanswered.text,
    /^The backup lacks the second factor of owner@example\.com: the password alone signs in, .+\n+Nothing was restored, .+ add --yes\.$/,
  );
  assert.ok(!existsSync(join(asked, 'database')));

  // As before a backup: what was noted after it is missing.
  await noteErasure(folder, 'nobody@example.com', new Date(0));
  const elsewhere = newFolder();
  const confirmed = await run(restore, [file, '--yes'], elsewhere);
  assert.equal(confirmed.code, 0);
  assert.match(
    confirmed.text,
    /^The backup lacks .+\nRestored .+ Replayed 1 erasure, which deleted 0 offers\. Notes of erasures after the backup are missing: \S+ had no erasures\.json, .+ are in the database again \(npm run erase\)\./,
  );

  rmSync(join(folder, FACTORS_FILE));
  await noteErasure(folder, 'ADA7@example.com');
  const here = newFolder();
  writeFileSync(join(here, 'lock'), '');
  copyFileSync(join(dataDir, 'secrets.json'), join(here, 'secrets.json'));
  await noteErasure(here, 'ada8@example.com');
  const complete = await run(restore, [file], here);
  assertOutput(complete, 0, /Replayed 3 erasures, which deleted 2 offers\. Start the product/);
  const noted = readErasures(here) ?? [];
  assert.equal(noted.length, 3, 'the next backups have them');
  for (const name of ['erasures.json', 'database']) {
    assert.equal(holds(join(here, name), 'ada7@example.com'), false, name);
  }
  assert.ok(holds(join(here, 'database'), 'ada9@example.com'));
});

test('restore ends sessions, voids codes, holds messages back, counts links, and rejects newer versions', async () => {
  const step = Math.floor(Date.now() / 30_000);
  const [folder, newer] = [newFolder(), newFolder()];
  const [old, made, link] = [
    join(folder, 'old.backup'),
    join(newer, 'newer.backup'),
    join(root, 'link.backup'),
  ];
  const ofFuture = newFolder();
  let token = '';
  await inDatabase(ofFuture, async ({ sql, signIn }) => {
    token = await signIn();
    await insertOffers(sql, 3);
    await sql.exec(`
      insert into private.admin_factors (user_id, sealed, key_id, last_step, recovery_hashes)
      select user_id, 'sealed', 'key', ${step - 1}, '{one}' from private.admins;
      insert into private.offer_links (token_hash, offer_id, number, nonce, created_at)
      select md5(id::text) || md5(id::text), id, 1, md5(id::text), now() - case offer_amount when '3' then interval '91 days' else '0' end
      from public.offers;
      insert into private.messages (kind, offer_id, target, sent_at, failed_at)
      select 'offer', min(id::text)::uuid, target, sent_at, failed_at from public.offers, (values
        ('mailto:sent@example.com', now(), null), ('mailto:failed@example.com', null, now()),
        ('mailto:queued@example.com', null::timestamptz, null::timestamptz)
      ) as m (target, sent_at, failed_at) group by target, sent_at, failed_at;
    `);
    const { rows } = await sql.query<{ n: number }>('select count(*)::integer as n from auth.sessions');
    assert.deepEqual(rows, [{ n: 1 }]);
    await writeRaw(old, sql);
    await sql.exec(
      "insert into supabase_migrations.schema_migrations (version, name, created_by) values ('29991231000000', 'x', '9.8.7')",
    );
    await writeRaw(made, sql);
  });

  // The backup has the factor, so that nothing is asked.
  writeFileSync(join(folder, FACTORS_FILE), JSON.stringify([OWNER.email]));
  // With the same keys, so that nothing but the restoring itself ends the sessions.
  const restored = newFolder();
  copyFileSync(join(ofFuture, 'secrets.json'), join(restored, 'secrets.json'));
  const { code, text } = await run(restore, [old], restored);
  assert.equal(code, 0, text);
  assert.match(text, /^Restored 3 offers to /);
  assert.match(text, /\n1 message is held back, which may have been sent after the backup\./);
  assert.match(
    text,
    /\nLinks of buyers: 3, as they were at the backup: those that New link ended after it open again/,
  );
  await inDatabase(restored, async ({ sql, renew }) => {
    for (const table of ['auth.sessions', 'auth.refresh_tokens', 'private.admin_sessions']) {
      assert.deepEqual((await sql.query(`select 1 from ${table}`)).rows, [], table);
    }
    assert.equal(await renew(token), 400);
    const { rows } = await sql.query('select paused_before is not null as paused from private.message_state');
    assert.deepEqual(rows, [{ paused: true }], 'messages of the backup are held back');
    for (const code of [`${step}, null`, `null, 'one'`]) {
      const { rows } = await sql.query<{ status: string }>(
        `select public.open_admin_session(user_id, 'session', 12, 120, ${code}) ->> 'status' as status from private.admins`,
      );
      assert.deepEqual(rows, [{ status: 'wrong_code' }], code);
    }
  });

  symlinkSync(made, link);
  writeFileSync(join(newer, 'erasures.json'), 'damaged');
  assertOutput(await run(restore, [link], newFolder()), 1, /erasures\.json is damaged/);
  rmSync(join(newer, 'erasures.json'));
  const factors = join(newer, FACTORS_FILE);
  for (const damaged of ['damaged', '{}']) {
    writeFileSync(factors, damaged);
    assertOutput(
      await run(restore, [link], newFolder()),
      1,
      /second-factors\.json could not be read or is damaged/,
    );
  }
  rmSync(factors);
  const rejected = newFolder();
  assertOutput(
    await run(restore, [link], rejected),
    1,
    /link\.backup was written by version 9\.8\.7 of this product \(migration 29991231000000\), and this is version [\d.]+\. Update the product first\.$/,
  );
  assert.ok(!existsSync(join(rejected, 'database')));
  assertOutput(
    await run(exportOffers, [join(newer, 'offers.csv')], ofFuture),
    1,
    /^The database was written by version 9\.8\.7 .* run npm run restore -- FILE with the backup that was made before the update/,
  );
});

test('restore distinguishes damaged backups, other files, pipes, and folders in use', async (context) => {
  const folder = newFolder();
  const rejects = async (backup: string, dataDir: string, message: RegExp) =>
    assertOutput(await run(restore, [backup], dataDir), 1, message);

  spawnSync('mkfifo', [join(folder, 'pipe')]);
  await rejects(
    join(folder, 'pipe'),
    newFolder(),
    /pipe is not a file\. Name one that npm run backup wrote\.$/,
  );
  await rejects(folder, newFolder(), / is not a file\. Name one that npm run backup wrote\.$/);
  const cut = join(folder, 'cut.backup');
  writeFileSync(cut, readFileSync(GOOD_BACKUP).subarray(0, 100_000));
  const empty = newFolder();
  await rejects(cut, empty, /is not a backup made by npm run backup, or it is damaged\.$/);
  assert.ok(!existsSync(join(empty, 'database')), 'what is no backup leaves nothing');
  const other = join(folder, 'other.gz');
  writeFileSync(other, gzipSync('precious'));
  await rejects(
    other,
    newFolder(),
    /could not be unpacked in \S+: PGlite failed to initialize properly\. .+ has to be a backup made by npm run backup\.$/,
  );
  await rejects(GOOD_BACKUP, dataDir, /has a database already/);
  const { release } = await takeDataFolder(empty);
  await rejects(GOOD_BACKUP, empty, /is in use by another process/);
  release();

  const disk = mountSmallDisk(10);
  if (!disk) return context.skip('this user may not mount a small disk');
  try {
    assertOutput(
      runTool('commands/restore.ts', [GOOD_BACKUP], { DATA_DIR: disk.folder }),
      1,
      /could not be unpacked in \S+: ENOSPC, no space left on device\. It takes \d+ MB/,
    );
    assert.deepEqual(
      readdirSync(disk.folder).filter((name) => /database|building/.test(name)),
      [],
    );
  } finally {
    disk.remove();
  }
});

test('backup and export write over no file', async () => {
  for (const [command, name] of [
    [backup, 'offers.backup'],
    [exportOffers, 'offers.csv'],
  ] as const) {
    const file = join(newFolder(), name);
    writeFileSync(file, 'precious');
    assertOutput(await run(command, [file], dataDir), 1, /is there already, and is not written over/);
    assert.equal(readFileSync(file, 'utf8'), 'precious');
  }
  const draft = join(newFolder(), 'offers.csv.draft');
  writeFileSync(draft, 'precious');
  assertOutput(
    await run(exportOffers, [draft.replace(/\.draft$/, '')], dataDir),
    1,
    /\.draft is there already, perhaps from a run that was interrupted/,
  );
  assert.equal(readFileSync(draft, 'utf8'), 'precious');
});

test('backup and export reject paths in published folders', async () => {
  const link = join(root, 'public-link');
  symlinkSync(resolve('public'), link);
  for (const folder of ['public', 'src', link]) {
    for (const [command, name] of [
      [exportOffers, 'offers.csv'],
      [backup, 'offers.backup'],
    ] as const) {
      assertOutput(
        await run(command, [join(folder, name)], newFolder()),
        1,
        /^The file is “.+”, which is inside the project’s folder (?:public|src)\/\./,
      );
    }
  }
});

test('a backup needs the extension .backup', async () => {
  for (const name of ['offers.tgz', 'offers', 'offers.backup.txt']) {
    assertOutput(
      await run(backup, [join(newFolder(), name)], newFolder()),
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
  /** Sends the signal when the copy is being made. Returns the exit code. */
  const interrupt = async (signal: NodeJS.Signals) => {
    const child = spawnBackup([file], dataDir);
    const timer = setInterval(() => {
      if (!copies().some((name) => existsSync(join(folder, name, 'copy/PG_VERSION')))) return;
      clearInterval(timer);
      child.kill(signal);
    }, 5);
    const [code] = await once(child, 'exit');
    clearInterval(timer);
    return code;
  };
  assert.equal(await interrupt('SIGHUP'), 1);
  assert.deepEqual(readdirSync(folder), []);
  assert.equal(await interrupt('SIGKILL'), null);
  assert.equal(copies().length, 1);

  mkdirSync(join(folder, 'album.work-photos'));
  const inUse = 'other.backup.work-abc123';
  mkdirSync(join(folder, inUse));
  const release = await takeLock(join(folder, inUse, 'backup.lock'), 0);
  await withWorkFolder(file, async (path) => assert.ok(existsSync(path)));
  release?.();
  assert.deepEqual(readdirSync(folder).sort(), ['album.work-photos', inUse]);
});

describe('with a database that returns wrong results', () => {
  let close: () => Promise<void>;
  /** What the counts of offers were asked for. */
  let counted: readonly unknown[];
  afterEach(() => close());

  async function folderOf(responses: Responses): Promise<string> {
    const database = await databaseOf(responses);
    ({ close, counted } = database);
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
        const outcome = await run(exportOffers, [join(folder, `offers.${ending}`)], dataDir);
        assertOutput(
          outcome,
          1,
          new RegExp(`^No file was written: .* could be read, the database counts ${count}\\.`),
        );
        assert.deepEqual(readdirSync(folder), []);
      }
      // Those that come while it reads do not count.
      const upTo = { newest_created_at: offer.created_at, newest_id: offer.id };
      assert.deepEqual(counted, Array(2).fill(offers.length > 0 ? upTo : {}));
    });
  }

  test('a CSV export fails where its first message comes while it reads', async () => {
    const offers = [{ ...offer, message: 'Hello' }];
    const dataDir = await folderOf({
      export_offers: { body: JSON.stringify({ offers, has_messages: false }) },
      count_offers: { body: '1' },
    });
    const folder = newFolder();
    assertOutput(
      await run(exportOffers, [join(folder, 'offers.csv')], dataDir),
      1,
      /^No file was written: the first offer with a message arrived meanwhile\./,
    );
    assert.deepEqual(readdirSync(folder), []);
  });

  test('backup fails, and leaves no file, when the copy has another number of offers', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, OLD_BACKUP), '');
    const dataDir = await folderOf({ backup: { body: readFileSync(GOOD_BACKUP), offers: '1-2' } });
    assertOutput(
      await run(backup, ['--keep', '1', folder], dataDir),
      1,
      new RegExp(`^No backup was written: the copy has ${OFFERS} offers, the database counted 1-2\\.`),
    );
    assert.deepEqual(readdirSync(folder), [OLD_BACKUP]);
    assert.throws(
      () => assertComplete({ offers: 1 }, ''),
      /the copy has 1 offers, the database counted none\./,
    );
  });
});

describe('backup --keep', () => {
  let database: Awaited<ReturnType<typeof databaseOf>>;
  before(async () => {
    database = await databaseOf({
      backup: { body: readFileSync(GOOD_BACKUP), offers: `${OFFERS}-${OFFERS}` },
    });
  });
  after(() => database.close());

  test('removes its own oldest files only, also when erasures are damaged, and when two run at once', async () => {
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
    const erasures = join(folder, 'erasures.json');
    writeFileSync(erasures, 'damaged');
    const backUp = () => run(backup, ['--keep', '3', folder], database.dataDir);
    const own = () =>
      readdirSync(folder)
        .filter((name) => ![...others, sameName, 'erasures.json'].includes(name))
        .sort();
    assertOutput(await backUp(), 1, /^Wrote \S+\.backup, but \S+erasures\.json is damaged/);
    const [kept, later = '', written = ''] = own();
    assert.deepEqual([kept, later], [nameOf('2026-01-02'), nameOf('2026-01-03')]);
    assert.match(written, /^storefront-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.backup$/);
    assert.ok(Math.abs(Date.now() - timeOf(written)) < 300_000, written);
    assert.equal(own().length, 3);

    rmSync(erasures);
    // Of another data folder.
    const noted = [{ key: 'k'.repeat(43), hash: 'h'.repeat(43), erasedAt: '2026-01-01T00:00:00.000Z' }];
    writeErasures(folder, noted);
    const first = backUp();
    // Their names have milliseconds.
    for (const begun = Date.now(); Date.now() === begun; );
    for (const result of await Promise.all([first, backUp()])) {
      assertOutput(result, 0, /^Wrote \S+ and removed the (?:2 )?oldest\. It holds personal data/);
    }
    assert.equal(own().length, 3);
    assert.equal(own()[0], written, 'the two new ones are kept, too');
    assert.deepEqual(readErasures(folder), noted);
    for (const name of [written, 'erasures.json']) {
      assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
    }
    assert.deepEqual(
      readdirSync(folder).filter((name) => [...others, sameName].includes(name)).length,
      others.length + 1,
    );
  });

  test('is written inside its work folder, which the next run removes after a kill', async (context) => {
    const folder = newFolder();
    const { renameSync } = fs;
    const drafts: string[] = [];
    const rename = context.mock.method(fs, 'renameSync', (from: string, to: string) => {
      if (to.endsWith('.backup')) drafts.push(from);
      renameSync(from, to);
    });
    syncBuiltinESMExports();
    try {
      assertOutput(await run(backup, ['--keep', '1', folder], database.dataDir), 0, /^Wrote /);
    } finally {
      rename.mock.restore();
      syncBuiltinESMExports();
    }
    assert.equal(drafts.length, 1);
    assert.equal(dirname(dirname(drafts[0] ?? '')), folder);
    assert.match(drafts[0] ?? '', /\.work-\w{6}\/draft$/);
  });

  test('keeps the older backups when the disk is full', async (context) => {
    const disk = mountSmallDisk(10);
    if (!disk) return context.skip('this user may not mount a small disk');
    try {
      writeFileSync(join(disk.folder, OLD_BACKUP), 'old');
      // A process of its own, whose end closes the files of the copy.
      assertOutput(
        await runProcess(['--keep', '1', disk.folder], database.dataDir),
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

type Responses = Record<string, { body: string | Buffer<ArrayBuffer>; offers?: string }>;

/** A data folder of a running product with these responses. */
async function databaseOf(responses: Responses) {
  const dataDir = newFolder();
  leadTo(dataDir);
  const counted: unknown[] = [];
  const { close } = await openCommandSocket(async (input) => {
    const [, name = ''] = /\/(?:control|rest\/v1\/rpc)\/([\w-]+)/.exec((input as Request).url) ?? [];
    if (name === 'count_offers') counted.push(await (input as Request).json());
    const { body = '', offers = '' } = responses[name] ?? {};
    return new Response(body, { headers: { [OFFERS_HEADER]: offers } });
  }, dataDir);
  return { dataDir, close, counted };
}

interface Opened {
  sql: Awaited<ReturnType<typeof openDatabase>>['sql'];
  /** Returns the refresh token. */
  signIn(): Promise<string>;
  /** Returns the status. */
  renew(refreshToken: string): Promise<number>;
}

/** Writes a backup of the files as they are, with what `npm run backup` leaves out, such as sessions. */
async function writeRaw(file: string, sql: Opened['sql']): Promise<void> {
  const archive = await (await sql.dumpDataDir('none')).arrayBuffer();
  writeFileSync(file, gzipSync(new Uint8Array(archive), { level: 1 }));
}

/** Each of another customer. */
async function insertOffers(sql: Opened['sql'], count: number): Promise<void> {
  await sql.query(
    `insert into public.offers (domain_name, offer_amount, customer_name, customer_email)
     select 'lap.app', n::text, 'Ada', 'Ada' || n || '@example.com' from generate_series(1, $1::integer) as n`,
    [count],
  );
}

/** Whether a file, or any file of a folder, holds a text in any letter case. */
function holds(path: string, text: string): boolean {
  if (!statSync(path).isDirectory()) return readFileSync(path, 'latin1').toLowerCase().includes(text);
  return readdirSync(path).some((name) => holds(join(path, name), text));
}

/** Opens the database of a folder, as one run of the product does. */
async function inDatabase(dataDir: string, act: (opened: Opened) => Promise<void>): Promise<void> {
  const folder = await takeDataFolder(dataDir);
  if (!existsSync(folder.database)) await folder.build(copyBooted);
  const keys = { ...folder.secrets, publishableKey: 'sb_publishable_t' };
  const database = await openDatabase(folder, keys);
  const token = (grant: string, body: object) => callAuth(database, `token?grant_type=${grant}`, body);
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
