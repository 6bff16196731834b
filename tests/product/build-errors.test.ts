/** Problems in the owner's files stop a build or start with an error; src/catalogue and src/i18n test each problem. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { BASE_ENV } from '../support/base-environment.ts';
import { copyOfProject } from '../support/product.ts';

const CATALOGUE = 'src/content/catalogue.yaml';

/** Problems of one catalogue, and how each is reported. */
const MISTAKES: [text: string, replacement: string, message: RegExp][] = [
  [
    '[en, de]',
    '[en, xx]',
    /section settings, field languages number 2 "xx" is not a language there are messages in: write one of de, en/,
  ],
  ['- name: sample.app\n    price', '- price', /catalogue\.yaml:\d+:\d+ {2}entry 1, field name is missing/],
  [
    'name: lap.app',
    'name: lap app',
    /catalogue\.yaml:\d+:\d+ {2}entry 2 \(lap app\), field name "lap app" is not a domain/,
  ],
  [
    'name: host.example',
    'name: site.example',
    /catalogue\.yaml:\d+:\d+ {2}entry 4 \(site\.example\), field name is the same as entry 3/,
  ],
  [
    'hasBroker: false',
    'hasBroker: false\n    hasBrokers: true',
    /catalogue\.yaml:\d+:\d+ {2}entry 4 \(site\.example\), field hasBrokers is not a known field/,
  ],
];

describe('problems in the owner’s files', () => {
  const project = copyOfProject();
  after(project.remove);

  test('problems in the catalogue stop npm start and npm run build with errors that name entry and field', () => {
    const restore = edit(CATALOGUE, (text) =>
      MISTAKES.reduce((edited, [found, replacement]) => replaced(edited, found, replacement), text),
    );
    for (const command of ['start', 'build']) {
      const stderr = errorsOf(command);
      assert.match(stderr, /Please correct the catalogue:/);
      for (const [, , message] of MISTAKES) assert.match(stderr, message, command);
    }
    restore();
  });

  test('a language that lacks a message stops the build with an error', () => {
    const restore = edit('src/i18n/de.ts', (text) => text.replace(/ {4}submit: .*\n/, ''));
    assert.match(errorsOf('build'), /src\/i18n\/de\.ts has no text form\.submit: write it\./);
    restore();
  });

  /** Changes a file of the project. Returns a function that restores it. */
  function edit(path: string, change: (text: string) => string): () => void {
    const file = join(project.folder, path);
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, change(before));
    assert.notEqual(
      readFileSync(file, 'utf8'),
      before,
      'the file has changed: this edit does nothing any more',
    );
    return () => writeFileSync(file, before);
  }

  /** What a command that fails prints: sentences without a stack. */
  function errorsOf(command: string): string {
    const { status, stderr } = spawnSync(process.execPath, ['cli.mjs', command], {
      cwd: project.folder,
      encoding: 'utf8',
      env: { ...BASE_ENV, PORT: '0' },
    });
    assert.doesNotMatch(stderr, /^\s+at /m);
    assert.equal(status, 1, stderr);
    return stderr;
  }
});

function replaced(text: string, found: string, replacement: string): string {
  assert.ok(text.includes(found), `the catalogue has changed: it has no ${found} any more`);
  return text.replace(found, replacement);
}
