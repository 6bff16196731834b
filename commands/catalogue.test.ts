/** `npm run catalogue` as a command, in a folder that has what a project has of it. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join, resolve } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { takeLock } from '../process/lock-file.ts';
import { BASE_ENV } from '../tests/support/base-environment.ts';
import { runCommand } from '../tests/support/run-command.ts';
import { NODE, newFolder, runTool, type ToolResult } from '../tests/support/terminal.ts';
import { run as catalogue } from './catalogue.ts';

const COMMAND = resolve('commands/catalogue.ts');
const SAMPLE = 'src/content/catalogue.yaml';
const READING = ['check', 'texts', 'export', 'dns'];
const WRITING = [
  ['init'],
  ['import', 'names.csv', '--yes'],
  ['add', 'new.example'],
  ['remove', 'lap.app'],
  ['sold', 'lap.app'],
  ['reserve', 'lap.app'],
  ['for-sale', 'lap.app'],
  ['undo'],
];
const DEFAULTS =
  'defaults: { price: make an offer, description: "{domain} is for sale.", hasBroker: false }\n';

let project = '';
beforeEach(() => {
  project = newFolder();
  mkdirSync(join(project, 'src/content'), { recursive: true });
  cpSync(SAMPLE, join(project, SAMPLE));
  writeFileSync(join(project, 'names.csv'), 'name,price\none.example,$1\nlap.app,$2\nbad name,$3\n');
});

describe('with the sample alone', () => {
  test('every writing command is rejected, and check and export work', async () => {
    for (const args of WRITING.slice(1)) {
      assertResult(
        await run(...args),
        1,
        /^There is only the sample catalogue.*: npm run catalogue -- init$/,
      );
    }
    assertResult(
      await run('check'),
      0,
      /^src\/content\/catalogue\.yaml has no problems: 4 names .*\nIt is the sample\./s,
    );
    assertResult(
      await run('export'),
      0,
      /^\uFEFF?name,price,description,hasBroker,state,about\r\nsample\.app,"\$15,000",/,
    );
    assert.deepEqual(readdirSync(project).sort(), ['.astro', 'names.csv', 'src']);
    assert.equal(readFileSync(join(project, SAMPLE), 'utf8'), readFileSync(SAMPLE, 'utf8'));
  });

  test('check reports problems of the catalogue and of the owner’s other files together', async () => {
    mkdirSync(join(project, 'own'));
    writeFileSync(join(project, 'own/logo.svg'), '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>');
    assertResult(await run('check'), 0, /4 names .*\nNo problems in own\/logo\.svg\.\n/s);
    writeFileSync(join(project, 'own/logo.svg'), '<html></html>');
    assertResult(await run('check'), 1, /own\/logo\.svg {2}is no SVG, PNG or WebP picture: /);
    rmSync(join(project, 'own/logo.svg'));
    writeFileSync(join(project, 'own/texts.de.yaml'), 'page.haeder: Namen\n');
    writeFileSync(join(project, SAMPLE), 'domains: []\n');
    const { code, text } = await run('check');
    assert.equal(code, 1);
    assert.match(text, /catalogue\.yaml:1:10 {2}section domains is empty/);
    assert.match(text, /own\/texts\.de\.yaml:1:1 {2}text page\.haeder is not a known key/);
  });

  test('texts prints every key of a language, as a file of texts that has no problems', async () => {
    const { code, text } = await run('texts', 'de');
    assert.equal(code, 0);
    assert.match(text, /^# Write those that you change into own\/texts\.de\.yaml\./);
    assert.match(text, /^broker\.link: "\{domain\} über den Broker kaufen"$/m);
    mkdirSync(join(project, 'own'));
    writeFileSync(join(project, 'own/logo.svg'), '<html></html>');
    assertResult(await run('check'), 1, /own\/logo\.svg {2}is no SVG, PNG or WebP picture: /);
    rmSync(join(project, 'own/logo.svg'));
    writeFileSync(join(project, 'own/texts.de.yaml'), text);
    assertResult(await run('check'), 0, /No problems in own\/texts\.de\.yaml\./);
    assertResult(
      await run('texts', 'xx'),
      1,
      /^There is no language "xx"\. Please name one language, like this:\n\n {2}npm run catalogue -- texts de/,
    );
  });

  test('init makes the owner’s catalogue once', async () => {
    assertResult(
      await run('init'),
      0,
      /^Made own\/catalogue\.yaml .*remove sample\.app lap\.app .*Next: npm run build/s,
    );
    const text = readOwn();
    assert.match(text, /^# Your catalogue\. No update changes it/);
    assert.doesNotMatch(text, /The one file you edit/);
    assert.doesNotMatch(
      text,
      /^defaults:|make an offer|is for sale/im,
      'no price or description of its own making',
    );
    assert.doesNotMatch(text, /^ *(?:hasBroker|brokerUrl):/m, 'promises no broker');
    assert.match(text, /^ {2}# brokerUrl: https:/m);
    assertResult(await run('add', 'new.example'), 0, /^Added: new\.example\n/);
    assertResult(
      await run('undo'),
      0,
      /^own\/catalogue\.yaml is as it was before the last change\.\nNext: npm run build/,
    );
    assertResult(
      await run('check'),
      0,
      /^own\/catalogue\.yaml has no problems: 4 names \(4 for sale, 0 sold, 0 reserved\)\.\nWarning: the pages are in German too, /,
    );
    writeOwn(`${text}# mine\n`);
    assertResult(await run('init'), 1, /^own\/catalogue\.yaml is there already, and is not written over\./);
    assert.equal(readOwn(), `${text}# mine\n`);
  });

  test('init follows OWN_DIR, and is rejected while CATALOGUE is set', async () => {
    writeFileSync(join(project, '.env'), 'OWN_DIR=mine\nCATALOGUE=other.yaml\n');
    assertResult(
      await run('init'),
      1,
      /^CATALOGUE is set: the catalogue is other\.yaml\. Remove that setting/,
    );
    writeFileSync(join(project, '.env'), 'OWN_DIR=mine\n');
    assertResult(await run('init'), 0, /^Made mine\/catalogue\.yaml/);
    assertResult(await run('add', 'new.example'), 0, /^Added: new\.example\n/);
  });

  test('a catalogue inside a folder of the site is rejected, except the sample', async () => {
    for (const [setting, commands, message] of [
      [
        'OWN_DIR=public',
        ['init', 'check'],
        /^OWN_DIR is “.*”, which is inside the project’s folder public\//,
      ],
      ['CATALOGUE=src/mine.yaml', ['check', 'export', 'dns'], /^CATALOGUE is “.*folder src\/.*prices/],
    ] as const) {
      writeFileSync(join(project, '.env'), `${setting}\n`);
      for (const command of commands) assertResult(await run(command), 1, message);
    }
    assert.ok(!existsSync(join(project, 'public')));
    writeFileSync(join(project, '.env'), `CATALOGUE=${SAMPLE}\n`);
    assertResult(await run('check'), 0, /has no problems/);
  });

  test('an unknown command lists the commands', async () => {
    for (const args of [[], ['frob'], ['constructor']]) {
      assertResult(
        await run(...args),
        1,
        /Please say what to do.*import FILE\.csv.*undo +take the last change back, also one of the dashboard$/s,
      );
    }
  });
});

describe('with a catalogue of the owner', () => {
  test('check warns of what a build warns of: contrast, texts, a missing imprint, minimums without effect', async () => {
    writeFileSync(join(project, 'own/theme.css'), ':root { --accent: #ffd700; }\n');
    const entry = '  - { name: a.example, price: ask, description: A., minimum: 25% }\n';
    writeFileSync(
      join(project, 'own/catalogue.yaml'),
      `settings: { languages: [en, de] }\ndomains:\n${entry}`,
    );
    writeFileSync(join(project, 'own/texts.de.yaml'), 'page.header: Namen\n');
    const { code, text } = await run('check');
    assert.equal(code, 0);
    assert.match(
      text,
      /^Warning: own\/texts\.en\.yaml {2}lacks texts of texts\.de\.yaml: write page\.header in it, too$/m,
    );
    assert.match(
      text,
      /^Warning: own\/theme\.css {2}--accent \(#ffd700\) on --page \(#f7f6f2\) has a contrast of 1\.29 in light colours: text needs 4\.5\.$/m,
    );
    assert.match(text, /^Warning: the pages are in German too/m);
    assert.match(text, /^Warning: a\.example: the minimum is 25% of the price/m);
    assert.doesNotMatch(text, /cannot be read as an amount, so that these/);
    writeOwn(`domains:\n${entry.replace('ask', 'Jan-00')}`);
    assertResult(
      await run('check'),
      0,
      /^Warning: a price cannot be read as an amount, so .* sorted, .* structured data, .* minimum .*:\n {2}a\.example: "Jan-00"$/m,
    );
  });

  beforeEach(() => {
    mkdirSync(join(project, 'own'));
    const [settings = '', domains = ''] = readFileSync(SAMPLE, 'utf8').split(/(?=^domains:)/m);
    writeOwn(`${settings}${DEFAULTS}${domains}`);
  });

  test('every command that writes is rejected while another one holds the lock, and those that read work', async (t) => {
    await run('add', 'earlier.example');
    const before = readOwn();
    const { text: usage } = await run('none');
    const commands = usage.match(/^ {2}(?=\w)[\w-]+|(?<=NAME…, )[\w-]+/gm)?.map((name) => name.trim());
    assert.deepEqual(new Set(commands), new Set([...WRITING.map(([name]) => name), ...READING]));
    const release = await takeLock(join(project, '.astro/catalogue.lock'), 0);
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    syncBuiltinESMExports();
    try {
      for (const args of WRITING) {
        let result: ToolResult | undefined;
        void run(...args).then((one) => {
          result = one;
        });
        while (!result) {
          t.mock.timers.tick(1_000);
          await setImmediate();
        }
        assertResult(
          result,
          1,
          /^Another npm run catalogue is changing the catalogue, .* Nothing was written/,
        );
      }
    } finally {
      t.mock.timers.reset();
      syncBuiltinESMExports();
    }
    for (const name of READING) assert.equal((await run(name)).code, 0, name);
    assert.equal(readOwn(), before);
    release?.();
    assertResult(await run('undo'), 0, /is as it was before/);
  });

  test('commands at the same time lose no change', async () => {
    const names = Array.from({ length: 6 }, (_, at) => `parallel${at}.example`);
    const commands = names.map((name) =>
      spawn(NODE, ['--disable-warning=ExperimentalWarning', COMMAND, 'add', name], {
        cwd: project,
        env: BASE_ENV,
        stdio: 'ignore',
      }),
    );
    const codes = await Promise.all(commands.map(async (command) => (await once(command, 'exit'))[0]));
    assert.deepEqual(
      codes,
      names.map(() => 0),
    );
    for (const name of names) assert.ok(readOwn().includes(name), name);
  });

  test('names are added, sold, reserved, for sale again and removed, with the rest of the file as it is', async () => {
    const before = uniform(readOwn());
    assertResult(
      await run('add', 'Bücher.Example', 'one.example.'),
      0,
      /^Added: xn--bcher-kva\.example, one\.example\n/,
    );
    assert.equal(
      readOwn(),
      `${before}  - name: xn--bcher-kva.example # bücher.example\n  - name: one.example\n`,
    );
    assertResult(
      await run('sold', 'bücher.example', 'LAP.app'),
      0,
      /^Marked as sold: xn--bcher-kva\.example, lap\.app\n/,
    );
    assertResult(
      await run('reserve', 'one.example'),
      0,
      /^Marked as reserved: one\.example\n.*undo\nNext: npm run build/s,
    );
    assertResult(await run('check'), 0, /6 names \(3 for sale, 2 sold, 1 reserved\)/);
    assertResult(await run('sold', 'lap.app'), 0, /^No change: lap\.app$/);
    assertResult(
      await run('for-sale', 'lap.app', 'one.example'),
      0,
      /^For sale again: lap\.app, one\.example\n/,
    );
    assertResult(await run('remove', 'one.example', 'xn--bcher-kva.example'), 0, /^Removed: /);
    assert.equal(readOwn(), before);
  });

  test('wrong names are reported, and then nothing is written', async () => {
    const before = readOwn();
    for (const [args, message] of [
      [['remove', 'lap.app', 'none.app'], /^none\.app is not in the catalogue\.\nNothing was written\.$/],
      [
        ['sold', 'lapp.app'],
        /^lapp\.app is not in the catalogue\. Did you mean lap\.app\?\nNothing was written\.$/,
      ],
      [['soled', 'lap.app'], /^There is no command "soled"\. Did you mean sold\?$/],
      [
        ['sold', '--all'],
        /^There is no option --all\. Please give names, like this: npm run catalogue -- sold lap\.app/,
      ],
      [['undo', 'x'], /^The argument "x" is one too many\. The command undo takes no arguments\.$/],
    ] as const) {
      assertResult(await run(...args), 1, message);
    }
    assert.equal(readOwn(), before);
    assert.deepEqual(readdirSync(join(project, 'own')), ['catalogue.yaml']);
  });

  test('names alone are added and imported, without price and description', async () => {
    writeOwn(readOwn().replace(DEFAULTS, ''));
    writeFileSync(
      join(project, 'godaddy.csv'),
      'Domain Name,TLD,Create Date\na.example,.EXAMPLE,x\nb.example,,\n',
    );
    assertResult(await run('add', 'new.example'), 0, /^Added: new\.example\n/);
    assertResult(
      await run('import', 'godaddy.csv', '--yes'),
      0,
      /Added: 2\n {2}a\.example\n {2}b\.example\n/,
    );
  });

  test('import shows what it does, and writes only with --yes or after a yes', async () => {
    const before = readOwn();
    const preview =
      /^names\.csv: 3 rows\nColumns imported: name from "name", price from "price"\n\nAdded: 1\n {2}one\.example {2}\$1\nChanged: 1\n {2}lap\.app: price "\$10,000" → "\$2"\nUnchanged: 0\nLeft out: 1\n {2}line 4: column "name" "bad name" is not/;
    assertResult(await run('import', 'names.csv'), 1, preview);
    assertResult(
      await run('import', 'names.csv'),
      1,
      /Nothing was written, because there is no terminal to ask on\..* add --yes\.$/,
    );
    assertResult(
      await run('import', 'names.csv', '--quiet'),
      1,
      /price from "price"\n\nAdded: 1\nChanged: 1\nUnchanged: 0\nLeft out: 1\n+Nothing was written/,
    );
    for (const word of ['', 'n', 'yesterday']) {
      assertResult(await runOnTerminal(word, 'import', 'names.csv'), 0, /\[y\/N\] .*Nothing was written\.$/s);
    }
    assert.equal(readOwn(), before);
    assert.deepEqual(readdirSync(join(project, 'own')), ['catalogue.yaml']);
    assertResult(
      await runOnTerminal('y', 'import', 'names.csv'),
      0,
      /\[y\/N\] .*Wrote own\/catalogue\.yaml: 5 names, 1 added, 1 changed; 1 row left out\./s,
    );
    assert.equal(
      readOwn(),
      `${uniform(before).replace('lap.app\n    price: $10,000', 'lap.app\n    price: $2')}  - name: one.example\n    price: $1\n`,
    );
    assertResult(
      await run('import', 'names.csv', '--yes'),
      0,
      /Unchanged: 2\n.*There is nothing to write\.$/s,
    );
  });

  test('import takes a currency for amounts without one, and skips what Excel writes above the columns', async () => {
    writeFileSync(join(project, 'excel.csv'), 'sep=;\r\nDomain;Preis;Status\r\none.example;1.500;aktiv\r\n');
    assertResult(
      await run('import', 'excel.csv', '--currency', 'eur', '--yes'),
      0,
      /^excel\.csv: 1 row\nColumns named in line 2\nColumns imported: name from "Domain", price from "Preis"\nColumns that say what is for sale: "Status"\n\nAdded: 1\n/,
    );
    assert.match(readOwn(), /- name: one\.example\n {4}price: €1,500\n$/);
    assertResult(
      await run('import', 'excel.csv', '--currency', 'Taler'),
      1,
      /^--currency has "Taler": write a code such as USD, EUR or CHF\.$/,
    );
  });

  test('import takes --map more than once', async () => {
    writeFileSync(join(project, 'own-words.csv'), 'Word,Amount\none.example,$3\n');
    assertResult(
      await run('import', 'own-words.csv', '--map', 'name=Word', '--map', 'price=Amount', '--yes'),
      0,
      /Columns imported: name from "Word", price from "Amount"\n/,
    );
  });

  test('import reads a list from a pipe', async () => {
    const input = 'name,price\nlap.app,"$4,500"\n';
    const result = await runCommand(catalogue, ['import', '-', '--yes'], { cwd: project, input });
    assertResult(result, 0, /^The list: 1 row\n.*\nChanged: 1\n {2}lap\.app: price "\$10,000" → "\$4,500"/s);
    assert.match(readOwn(), /lap\.app\n {4}price: \$4,500\n/);
  });

  test('import rejects files that it cannot read as a whole', async () => {
    for (const [args, message] of [
      [['none.csv'], /^There is no file none\.csv\.$/],
      [['own'], /^There is no file own\.$/],
      [['names.csv', '--force'], /^There is no option --force\. Please name one file, like this: /],
    ] as const) {
      assertResult(await run('import', ...args), 1, message);
    }
  });

  test('an import that is killed before its last step leaves the old file and the change before', async () => {
    const original = readOwn();
    await run('add', 'new.example');
    const before = readOwn();
    const kill = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
      const { renameSync } = fs;
      fs.renameSync = (from, to) => {
        if (to.endsWith('catalogue.yaml')) process.kill(process.pid, 'SIGKILL');
        renameSync(from, to);
      };
      syncBuiltinESMExports();`;
    const preload = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(kill)}` };
    const { code } = runTool(COMMAND, ['import', 'names.csv', '--yes'], preload, project);
    assert.equal(code, null);
    assert.equal(readOwn(), before);
    assertResult(await run('undo'), 0, /is as it was before/);
    assert.equal(readOwn(), original);
    assertResult(await run('import', 'names.csv', '--yes'), 0, /Wrote own\/catalogue\.yaml: 5 names, /);
    assertResult(await run('undo'), 0, /is as it was before/);
    const left = readdirSync(join(project, 'own')).filter((name) => !name.endsWith('.draft'));
    assert.deepEqual(left, ['catalogue.yaml']);
  });

  test('an edit while the command runs is not lost', async () => {
    const edit = () => {
      appendFileSync(join(project, 'own/catalogue.yaml'), '# edited\n');
      return 'y';
    };
    assertResult(
      await runCommand(catalogue, ['import', 'names.csv'], { cwd: project, typed: edit }),
      1,
      /own\/catalogue\.yaml was changed while this command ran\. Nothing was written: run it again\.$/,
    );
    assert.match(readOwn(), /# edited\n$/);
  });

  test('a catalogue that is mounted by itself is changed and taken back, and nothing is left beside it', async (context) => {
    const before = readOwn();
    const [file, host] = [join(project, 'own/catalogue.yaml'), join(project, 'host.yaml')];
    cpSync(file, host);
    if (spawnSync('mount', ['--bind', host, file]).status !== 0)
      return context.skip('only root can mount a file');
    try {
      assertResult(await run('add', 'new.example'), 0, /^Added: new\.example\n/);
      assert.match(readFileSync(host, 'utf8'), /name: new\.example/);
      assertResult(await run('undo'), 0, /is as it was before/);
      assert.equal(readFileSync(host, 'utf8'), before);
      assert.deepEqual(readdirSync(join(project, 'own')), ['catalogue.yaml']);
    } finally {
      spawnSync('umount', [file]);
    }
  });

  test('undo takes the last change back, and loses no edit', async () => {
    const before = readOwn();
    assertResult(await run('undo'), 1, /^There is no change to take back\.$/);
    await run('add', 'new.example');
    const after = readOwn();
    assertResult(await run('undo'), 0, /^own\/catalogue\.yaml is as it was before the last change\.\n/);
    assert.equal(readOwn(), before);
    assertResult(await run('undo'), 1, /^There is no change to take back\.$/);
    await run('add', 'new.example');
    writeOwn(`${after}# edited\n`);
    assertResult(
      await run('undo'),
      1,
      /^own\/catalogue\.yaml has been edited since the last command, .* is own\/catalogue\.yaml\.before-\w+: copy/,
    );
    assert.equal(readOwn(), `${after}# edited\n`);
  });

  test('a file with problems is not changed, and check reports them', async () => {
    writeOwn(readOwn().replace('$10,000', '10000'));
    const problem =
      /^Please correct the catalogue:\n {2}own\/catalogue\.yaml:\d+:12 {2}entry 2 \(lap\.app\), field price is a number/;
    assertResult(await run('check'), 1, problem);
    assertResult(await run('add', 'new.example'), 1, problem);
    assertResult(await run('export'), 1, problem);
  });

  test('a byte order mark and a symbolic link stay', async () => {
    writeFileSync(join(project, 'elsewhere.yaml'), `\uFEFF${readOwn()}`);
    symlinkSync('elsewhere.yaml', join(project, 'linked.yaml'));
    writeFileSync(join(project, '.env'), 'CATALOGUE=linked.yaml\n');
    assertResult(await run('add', 'new.example'), 0, /^Added: new\.example/);
    assert.match(
      readFileSync(join(project, 'elsewhere.yaml'), 'utf8'),
      /^\uFEFF# The one.* {2}- name: new\.example\n$/s,
    );
    assertResult(await run('undo'), 0, /^linked\.yaml is as it was before/);
  });

  test('export with semicolons is read back', async () => {
    writeOwn(readOwn().replace('$10,000', '"$10,000; firm"'));
    assertResult(await run('export', 'all.csv', '--separator', ';'), 0, /^Wrote 4 names to /);
    assert.match(
      readFileSync(join(project, 'all.csv'), 'utf8'),
      /^\uFEFFname;price;.*;about\r\nsample\.app;\$15,000;.*\nlap\.app;"\$10,000; firm";/s,
    );
    assertResult(await run('import', 'all.csv', '--yes'), 0, /Unchanged: 4\nLeft out: 0\n/);
    assertResult(
      await run('export', '--separator', 'x'),
      1,
      /^--separator is "x"\. Please write --separator ";"/,
    );
  });

  test('export for Afternic says what it leaves out, and is read back without a change', async () => {
    const before = readOwn();
    writeOwn(`${uniform(before)}  - name: euro.example\n    price: €900\n`);
    assertResult(
      await run('export', '--for', 'afternic', 'afternic.csv'),
      0,
      /^Wrote 4 names to .*afternic\.csv\.\nLeft out: 1\n {2}euro\.example: its price €900 is in EUR\nAfternic’s choice “Replace” deletes/,
    );
    assertResult(
      await run('import', 'afternic.csv', '--yes'),
      0,
      /Unchanged: 4\n.*There is nothing to write\.$/s,
    );
    for (const [args, message] of [
      [['--for', 'sedo', 'a.csv'], /^--for is "sedo"\. It takes afternic alone\.$/],
      [['--for', 'afternic'], /^Please name one file, like this: .* export --for afternic names\.csv$/],
      [['--for', 'afternic', '--separator', ';', 'a.csv'], /^--separator is not for --for afternic/],
    ] as const)
      assertResult(await run('export', ...args), 1, message);
  });

  test('import names columns that seem to have amounts and are not imported', async () => {
    writeFileSync(join(project, 'more.csv'), 'Domain,Target,Purchase Price\none.example,$5,$1\n');
    assertResult(
      await run('import', 'more.csv', '--yes'),
      0,
      /\nWarning, columns that seem to have amounts and are not imported: "Target"\. If one has your prices, name it: --map "price=Target"\n/,
    );
    assert.doesNotMatch(readOwn(), /\$[15]\n/);
  });

  test('export writes a new file that import reads back', async () => {
    await run('sold', 'lap.app');
    assertResult(await run('export', 'all.csv'), 0, /^Wrote 4 names to .*all\.csv\.$/);
    assertResult(
      await run('import', 'all.csv', '--yes'),
      0,
      /Unchanged: 4\nLeft out: 0\nThere is nothing to write\.$/,
    );
    assertResult(await run('export', 'all.csv'), 1, /all\.csv is there already, and is not written over\./);
    assertResult(await run('export', 'src/all.csv'), 1, /inside the project’s folder src\//);
    assert.ok(!existsSync(join(project, 'src/all.csv')));
    await run('for-sale', 'lap.app');
    await run('remove', 'site.example');
    assertResult(
      await run('import', 'all.csv', '--yes'),
      0,
      /Added: 1\n.*lap\.app: state for sale → "sold"\nUnchanged: 2/s,
    );
  });
});

test('dns prints records of the names that are for sale', async () => {
  assertResult(
    await run('dns'),
    0,
    /^_for-sale\.sample\.app\. 3600 IN TXT "v=FORSALE1;furi=https:\/\/sample\.app\/"\n_for-sale\.sample\.app\. 3600 /,
  );
  assertResult(
    await run('dns', 'lap.app'),
    1,
    /^The argument "lap\.app" is one too many\. The command dns takes no arguments\.$/,
  );
});

test('an export into a pipe may be read in part', async () => {
  const entry = { price: '$1', description: 'x'.repeat(1_000), hasBroker: true };
  const domains = Array.from({ length: 1_000 }, (_, index) => ({ name: `n${index}.example`, ...entry }));
  const settings = { brokerUrl: 'https://b.example/{domain}' };
  writeFileSync(join(project, 'names.json'), JSON.stringify({ settings, domains }));
  const { stdout, stderr } = spawnSync('sh', ['-c', '"$0" "$1" export | head -c 7', NODE, COMMAND], {
    cwd: project,
    env: { ...BASE_ENV, CATALOGUE: 'names.json', NODE_NO_WARNINGS: '1' },
    encoding: 'utf8',
  });
  assert.deepEqual([stdout, stderr], ['\uFEFFname', '']);
});

function run(...args: string[]): Promise<ToolResult> {
  return runCommand(catalogue, args, { cwd: project });
}

function runOnTerminal(line: string, ...args: string[]): Promise<ToolResult> {
  return runCommand(catalogue, args, { cwd: project, typed: () => line });
}

function assertResult({ code, text }: ToolResult, wantedCode: number, wanted: RegExp): void {
  assert.match(text, wanted);
  assert.doesNotMatch(text, /^ +at /m, 'without a stack');
  assert.equal(code, wantedCode);
}

function readOwn(): string {
  return readFileSync(join(project, 'own/catalogue.yaml'), 'utf8');
}

/** As a command writes it. */
function uniform(text: string): string {
  return text.replace('[en, de]', '[ en, de ]');
}

function writeOwn(text: string): void {
  writeFileSync(join(project, 'own/catalogue.yaml'), text);
}
