/** The owner's commands: backup, restore, export, erase and seed. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Offer } from '#contract/offer.ts';
import { mountSmallDisk } from '../abuse/small-disk.ts';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { countOffers, makeOffer, openSession, readAllOffers, refreshStatus } from '../support/calls.ts';
import {
  ADMIN,
  copyOfProject,
  type Product,
  startProductProcess as startProduct,
} from '../support/product.ts';
import {
  assertOutput,
  modeOf,
  newFolder,
  runTool,
  signInStatus,
  type ToolResult,
} from '../support/terminal.ts';

describe('the owner’s commands', () => {
  const MADE = [
    {
      customer_name: '=HYPERLINK("http://x.example")',
      offer_amount: '+1,000 €',
      customer_email: 'x@example.com',
    },
    { customer_name: 'Grace "Amazing" Hopper', offer_amount: '-5', customer_email: 'grace@example.com' },
    { customer_name: 'Ada Lovelace', offer_amount: '@ada', customer_email: 'Ada@example.com' },
  ];
  let product: Product;
  let offers: Offer[];
  before(async () => {
    product = await startProduct();
    for (const texts of MADE) await makeOffer(product, texts);
    offers = await readAllOffers(product);
  });
  after(() => product.stop());

  test('a backup of the running product restores every offer into an empty folder', async () => {
    const file = join(newFolder(), 'offers.backup');
    const [backups, dataDir] = [newFolder(), newFolder()];
    const { refresh_token } = await openSession(product);
    await makeOffer(product, { customer_email: 'Erased@example.com' });
    assertOutput(ownerRuns('backup', file), 0, /^Wrote \S+offers\.backup\. It holds personal data/);
    assert.equal(modeOf(file), '600');
    assert.deepEqual(readdirSync(dirname(file)), ['offers.backup'], 'no erasures, no file of them');
    assertOutput(
      ownerRuns('erase', 'nobody@example.com'),
      0,
      /^There is no offer from that address\. .+ hold some; copy \S+erasures\.json beside a backup before you/,
    );
    assertOutput(
      ownerRuns('backup', '--keep', '14', backups),
      0,
      /^Wrote \S+\.backup\. It holds personal data/,
    );
    await makeOffer(product, {
      customer_name: 'Too late for the backup',
      customer_email: 'late@example.com',
    });
    for (const email of ['late@example.com', 'ERASED@example.com']) {
      assertOutput(
        ownerRuns('erase', email),
        0,
        /^Erased 1 offer\. .+; restoring one from \S+ erases them again\.$/,
      );
    }

    assert.equal(await refreshStatus(product, refresh_token), 200);

    // The same keys: nothing but the restoring itself ends the backup's sessions.
    cpSync(join(product.dataDir, 'secrets.json'), join(dataDir, 'secrets.json'));
    const [noted = '', dated = ''] = readdirSync(backups).sort();
    assert.equal(noted, 'erasures.json');
    assertOutput(
      runTool('node/commands/restore.ts', [join(backups, dated)], { DATA_DIR: dataDir }),
      0,
      /^Restored 3 offers to \S+\. Replayed 3 erasures, which deleted 1 offer\. Start the product/,
    );
    for (const name of [noted, 'database']) {
      assert.equal(holds(join(dataDir, name), 'erased@example.com'), false, name);
    }
    assert.ok(holds(join(dataDir, 'database'), 'grace@example.com'));
    // As the disk of the backups may be away.
    rmSync(backups, { recursive: true });
    assertOutput(
      runTool('node/commands/erase.ts', ['x@example.org'], { DATA_DIR: product.dataDir }),
      0,
      /copy \S+ beside a backup before you restore it\. It could not be copied to \S+ now \(ENOENT\)\.$/,
    );
    const restored = await startProduct({ dataDir });
    assert.equal(await refreshStatus(restored, refresh_token), 400);
    assert.deepEqual(await readAllOffers(restored), offers);
    assert.equal(await signInStatus(restored, ADMIN.password), 200);
    await makeOffer(restored, { customer_name: 'After the restore' });
    assert.equal((await readAllOffers(restored)).length, 4);
    await restored.stop();
  });

  test('a restore into another folder says that notes of later erasures are missing, unless they lie beside the backup', async () => {
    const [folder, dataDir] = [newFolder(), newFolder()];
    const file = join(folder, 'offers.backup');
    await makeOffer(product, { customer_email: 'back@example.com' });
    assertOutput(ownerRuns('erase', 'nobody@example.com'), 0, /^There is no offer/);
    assertOutput(ownerRuns('backup', file), 0, /^Wrote /);
    assert.ok(existsSync(join(folder, 'erasures.json')));
    assertOutput(ownerRuns('erase', 'back@example.com'), 0, /^Erased 1 offer\./);
    const restore = () => runTool('node/commands/restore.ts', [file], { DATA_DIR: dataDir });
    assertOutput(
      restore(),
      0,
      /Replayed \d+ erasures?, which deleted 0 offers\. Notes of erasures after the backup are missing: \S+ had no erasures\.json, .+ are in the database again \(npm run erase\)\./,
    );
    rmSync(dataDir, { recursive: true });
    cpSync(join(product.dataDir, 'erasures.json'), join(folder, 'erasures.json'));
    const complete = restore();
    assertOutput(complete, 0, /which deleted 1 offer\./);
    assert.doesNotMatch(complete.text, /missing/);
  });

  /** Whether a file, or any file of a folder, holds a text in any letter case. */
  function holds(path: string, text: string): boolean {
    if (!statSync(path).isDirectory()) return readFileSync(path, 'latin1').toLowerCase().includes(text);
    return readdirSync(path).some((name) => holds(join(path, name), text));
  }

  test('backup and export overwrite no file, restore overwrites no database', async () => {
    const file = join(newFolder(), 'offers.backup');
    writeFileSync(file, 'precious');
    assertOutput(ownerRuns('backup', file), 1, /offers\.backup is there already, and is not written over/);
    assert.equal(readFileSync(file, 'utf8'), 'precious');

    for (const [name, ending] of [
      ['backup', 'backup'],
      ['export', 'csv'],
    ] as const) {
      const draft = join(newFolder(), `offers.${ending}.draft`);
      writeFileSync(draft, 'precious');
      const outcome = ownerRuns(name, draft.replace(/\.draft$/, ''));
      assertOutput(outcome, 1, /\.draft is there already, perhaps from a run that was interrupted/);
      assert.equal(readFileSync(draft, 'utf8'), 'precious');
    }

    assertOutput(ownerRuns('restore', file), 1, /is in use by another process/);
    const used = newDataFolder();
    assertOutput(
      runTool('node/commands/restore.ts', [file], { DATA_DIR: used }),
      1,
      /has a database already/,
    );
    rmSync(used, { recursive: true });

    const empty = newFolder();
    assertOutput(
      runTool('node/commands/restore.ts', [file], { DATA_DIR: empty }),
      1,
      /is not a backup made by npm run/,
    );
    assert.ok(!existsSync(join(empty, 'database')), 'what is no backup leaves nothing');
  });

  test('restore distinguishes damaged backups, other files and a full disk', async (context) => {
    const file = join(newFolder(), 'offers.backup');
    assertOutput(ownerRuns('backup', file), 0, /^Wrote /);
    const rejects = (backup: string, dataDir: string, message: RegExp) =>
      assertOutput(runTool('node/commands/restore.ts', [backup], { DATA_DIR: dataDir }), 1, message);

    const cut = join(newFolder(), 'cut.backup');
    writeFileSync(cut, readFileSync(file).subarray(0, 100_000));
    rejects(cut, newFolder(), /is not a backup made by npm run backup, or it is damaged\.$/);
    const other = join(newFolder(), 'other.gz');
    writeFileSync(other, gzipSync('precious'));
    rejects(
      other,
      newFolder(),
      /could not be unpacked in \S+: PGlite failed to initialize properly\. .+ has to be a backup made by npm run backup\.$/,
    );
    rejects(newFolder(), newFolder(), / is not a file\. Name one that npm run backup wrote\.$/);

    const disk = mountSmallDisk(10);
    if (!disk) return context.skip('this user may not mount a small disk');
    try {
      rejects(
        file,
        disk.folder,
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

  test('a CSV export has every column and no formula', async () => {
    const file = join(newFolder(), 'offers.csv');
    assertOutput(ownerRuns('export', file), 0, /^Wrote 3 offers to /);
    assert.equal(modeOf(file), '600');
    const [ada, grace, formula] = offers;
    assert.deepEqual(readFileSync(file, 'utf8').split('\r\n'), [
      '\uFEFFid,domain_name,offer_amount,customer_name,customer_email,created_at,status',
      `${ada?.id},lap.app,'@ada,Ada Lovelace,Ada@example.com,${ada?.created_at},pending`,
      `${grace?.id},lap.app,'-5,"Grace ""Amazing"" Hopper",grace@example.com,${grace?.created_at},pending`,
      `${formula?.id},lap.app,"'+1,000 €","'=HYPERLINK(""http://x.example"")",x@example.com,${formula?.created_at},pending`,
      '',
    ]);
    assertOutput(ownerRuns('export', file), 1, /is there already/);
  });

  test('a JSON export has every offer unchanged', async () => {
    const file = join(newFolder(), 'offers.json');
    assertOutput(ownerRuns('export', file), 0, /^Wrote 3 offers to /);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), offers);
  });

  test('erase removes the offers of one email, in any letter case, and no others', async () => {
    await makeOffer(product, { customer_email: 'gone@example.com' });
    await makeOffer(product, { customer_email: 'Gone@Example.com' });
    assertOutput(ownerRuns('erase', 'GONE@example.com'), 0, /^Erased 2 offers\. Backups made earlier/);
    assertOutput(ownerRuns('erase', 'gone@example.com'), 0, /^There is no offer from that address\./);
    assert.deepEqual(await readAllOffers(product), offers);
  });

  test('made-up offers are in a data folder of their own, which demo serves without messages', async () => {
    const dataDir = newDataFolder();
    const project = copyOfProject();
    const run = (tool: string, ...args: string[]) =>
      runTool(`node/commands/${tool}.ts`, args, { DATA_DIR: dataDir }, project.folder);
    let demo: Product | undefined;
    try {
      writeFileSync(
        join(project.folder, 'names.yaml'),
        'domains: [{ name: named.example, price: $1, description: One. }]\n',
      );
      writeFileSync(join(project.folder, '.env'), 'CATALOGUE=names.yaml\nNOTIFY_URL=http://127.0.0.1:9/\n', {
        mode: 0o600,
      });
      const made = run('seed', '--offers', '2');
      assert.match(made.text, /^Added 2 made-up offers to \.data-demo\.\nTo see them: npm run demo$/);
      assertOutput(
        run('seed', '--offers', '1'),
        1,
        /^\.data-demo holds 2 offers already\. To make others, end/,
      );
      assert.equal(await countOffers({ dataDir }), 0);

      demo = await startProduct({ dataDir, project: project.folder, program: 'node/commands/demo.ts' });
      const demoDir = join(project.folder, '.data-demo');
      const offers = await readAllOffers({ dataDir: demoDir });
      assert.deepEqual(
        offers.map((offer) => offer.domain_name),
        ['named.example', 'named.example'],
      );
      await makeOffer(demo, { domain_name: 'named.example' });
      await openSession(demo);
      assert.equal(await countOffers({ dataDir: demoDir }), 3);
      const status = runTool('node/commands/messages.ts', ['status'], { DATA_DIR: demoDir }, project.folder);
      assertOutput(status, 0, /^Sent: 0\. Queued: 0\. Not sent: 0\.$/);
      await demo.stop();

      rmSync(demoDir, { recursive: true });
      demo = await startProduct({ dataDir, project: project.folder, program: 'node/commands/demo.ts' });
      assert.match(demo.log(), /^Added 100 made-up offers to \.data-demo\.$/m);
      assert.equal(await countOffers({ dataDir }), 0);
    } finally {
      await demo?.stop();
      project.remove();
      rmSync(dataDir, { recursive: true });
    }
  });

  for (const [name, args, message, code = 1] of [
    ['seed', [], /^Please say how many, from 1 to 1,000,000, like this: npm run seed -- --offers 1000$/],
    ['seed', ['--offers', 'many'], /^--offers is "many"\. Please say how many/],
    ['seed', ['--offers', '0'], /^--offers is "0"\. Please say how many/],
    ['seed', ['--offers', '1000001'], /^--offers is "1000001"\. Please say how many/],
    ['seed', ['--rows', '5'], /^There is no option --rows\. Please say how many/],
    [
      'purge',
      ['--older-then', '24months'],
      /^There is no option --older-then\. Did you mean --older-than\?$/,
    ],
    ['purge', ['--older-than', '24'], /^--older-than is "24"\. Please give an age/],
    ['move', ['--to', 'hostd'], /^--to is "hostd"\. Please say where to: npm run move -- --to hosted$/],
    ['doctor', ['--nmae', 'lap.app'], /^There is no option --nmae\. Did you mean --name\?$/, 2],
    [
      'doctor',
      ['--name', 'lapp.app'],
      /^lapp\.app is neither in the catalogue .* Did you mean lap\.app\?$/,
      2,
    ],
    ['messages', ['tset'], /^There is no command "tset"\. Did you mean test\?$/],
    [
      'messages',
      ['test', 'now'],
      /^The argument "now" is one too many\. The command test takes no arguments\.$/,
    ],
    ['deploy-backend', ['--chek'], /^There is no option --chek\. Did you mean --check\?$/],
    ['deploy-worker', ['--dry-rum'], /^There is no option --dry-rum\. Did you mean --dry-run\?$/],
    ['erase', [], /^Please name one email address, like this: npm run erase -- name@example\.com$/],
    ['erase', ['everybody'], /^"everybody" is not an email address\. Please name one email address/],
    ['erase', ['--yes', 'a@example.com'], /^"--yes" is not an email address\. Please name one email address/],
    [
      'erase',
      ['a@example.com', 'b@example.com'],
      /^The argument "b@example\.com" is one too many\. Please name one email address/,
    ],
    ['backup', [], /^Please name one file, like this: npm run backup -- offers\.backup$/],
    ['backup', ['a.backup', 'b.backup'], /^The argument "b\.backup" is one too many\. Please name one file/],
    ['backup', ['--kep', '14', 'backups'], /^There is no option --kep\. Did you mean --keep\?$/],
    ['backup', ['/nowhere/offers.backup'], /^There is no folder \/nowhere\.$/],
    ['backup', ['offers.tgz'], /^The file’s name must end in \.backup/],
    ['restore', ['offers.backup', '--ye'], /^There is no option --ye\. Did you mean --yes\?$/],
    ['restore', ['/tmp/nothing.backup'], /^There is no file \/tmp\/nothing\.backup\.$/],
    ['export', ['offers.xlsx'], /must end in \.csv or \.json/],
  ] as readonly [string, readonly string[], RegExp, number?][]) {
    test(`${[name, ...args].join(' ')} prints what was wrong, and the correct usage`, async () => {
      assertOutput(ownerRuns(name, ...args), code, message);
    });
  }

  test('the commands leave a local data folder alone when a hosted project is set', async () => {
    const file = join(newFolder(), 'offers.csv');
    const backup = join(newFolder(), 'offers.backup');
    assertOutput(ownerRuns('backup', backup), 0, /^Wrote/);
    for (const [name, ...args] of [
      ['backup', join(newFolder(), 'new.backup')],
      ['backup', '--keep', '1', newFolder()],
      ['export', file],
      ['erase', 'x@example.com'],
      ['seed', '--offers', '1'],
      ['restore', backup],
    ] as const) {
      const outcome = runTool(`node/commands/${name}.ts`, args, {
        DATA_DIR: product.dataDir,
        SUPABASE_URL: 'https://name.supabase.co',
        SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x',
      });
      const reaches = name === 'export' || name === 'erase';
      assertOutput(
        outcome,
        1,
        reaches
          ? /^This works on the hosted project \S+: set SUPABASE_SECRET_KEY/
          : /^The offers are in the hosted project/,
      );
    }
    assert.equal(existsSync(file), false);
  });

  test('the commands report a missing database', () => {
    const dataDir = newFolder();
    for (const [name, argument] of [
      ['backup', 'a.backup'],
      ['export', 'a.csv'],
      ['erase', 'a@example.com'],
    ] as const) {
      assertOutput(
        runTool(`node/commands/${name}.ts`, [argument], { DATA_DIR: dataDir }),
        1,
        /^There is no database in \S+ yet\. Start the product once with npm start\.$/,
      );
    }
    assert.deepEqual(readdirSync(dataDir), []);
  });

  /** Off this process's thread of events, which reads the product's log meanwhile. */
  function ownerRuns(name: string, ...args: string[]): ToolResult {
    return runTool(`node/commands/${name}.ts`, args, { DATA_DIR: product.dataDir });
  }
});

describe('unknown options', () => {
  for (const [file, args, message] of [
    [
      'node/commands/start.ts',
      ['--port', '5000'],
      /^There is no option --port\. npm start takes no option but --watch .*; set the port with PORT=5000 npm start\.$/,
    ],
    [
      'node/commands/start.ts',
      ['5000'],
      /^The argument "5000" is one too many\. npm start takes no option but --watch/,
    ],
    [
      'node/commands/dev.ts',
      ['--port', '5000'],
      /^There is no option --port\. npm run dev takes no options; set the port with PORT=5000/,
    ],
    [
      'node/commands/build.ts',
      ['--nope'],
      /^There is no option --nope\. npm run build takes no options; what it builds is set in \.env/,
    ],
    [
      'tests/shots/shots.ts',
      ['--nope'],
      /^There is no option --nope\. Please name pictures, or the option --readme.* Choose of: dashboard, /,
    ],
    [
      'bench/run.ts',
      ['--nope'],
      /^There is no option --nope\. Please choose from: page, .* npm run bench -- build --domains 2000$/,
    ],
    ['bench/run.ts', ['pages'], /^Please choose from: page, /],
    [
      'tests/abuse/run.ts',
      ['--nope'],
      /^There is no option --nope\. Possible are --short, and --only with a part’s name/,
    ],
  ] as const) {
    test(`${file} ${args.join(' ')} prints the valid options`, () => {
      assertOutput(runTool(file, args, { DATA_DIR: newFolder() }), 1, message);
    });
  }
});
