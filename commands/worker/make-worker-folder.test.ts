import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';

// Its paths are those of the folder in which it is loaded.
const project = mkdtempSync(join(tmpdir(), 'worker-folder-'));
process.chdir(project);
const { makeWorkerFolder, noteOnLimits } = await import('./make-worker-folder.ts');
after(() => {
  process.chdir('/');
  rmSync(project, { recursive: true });
});

function write(files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

const files = (count: number, bytes = 1) =>
  Array.from({ length: count }, (_, n) => ({ name: `${n}.html`, bytes }));

test('the folder of a deployment has the build’s files alone, none of a former build and none compressed', () => {
  write({
    // Of a former build: a name that is sold.
    '.astro/worker/client/sites/sold.app/index.html': '',
    'dist/client/index.html': '',
    'dist/client/index.html.br': '',
    'dist/client/index.html.gz': '',
    'dist/client/sites/lap.com.br/index.html': '',
    'dist/policies.json': '{"everywhere":"default-src"}',
    'dist/site-facts.json': '{"names":["lap.com.br"]}',
    'dist/publication.json': '{"minimum":"100"}',
  });
  assert.equal(makeWorkerFolder('dist', 'admin.example'), undefined);
  const made = readdirSync('.astro/worker', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice('.astro/worker/'.length));
  assert.deepEqual(made.sort(), ['client/index.html', 'client/sites/lap.com.br/index.html', 'entry.js']);
  assert.equal(
    readFileSync('.astro/worker/entry.js', 'utf8'),
    "import { workerOf } from '../../worker/worker.ts';\n" +
      'export default workerOf({ policies: {"everywhere":"default-src"}, siteFacts: {"names":["lap.com.br"]}, adminHost: "admin.example" });\n',
  );

  writeFileSync('dist/client/large.bin', '');
  truncateSync('dist/client/large.bin', 25 * 1024 * 1024 + 1);
  assert.throws(() => makeWorkerFolder('dist', undefined), /^UserError: large\.bin has more than 25 MiB/);
});

test('a site beyond Cloudflare’s limits is rejected, and one beyond the free plan is noted', () => {
  assert.equal(noteOnLimits(files(20_000)), undefined);
  assert.match(noteOnLimits(files(20_001)) ?? '', /^The site has 20001 files: .* paid plan/);
  assert.match(noteOnLimits(files(100_000, 25 * 1024 * 1024)) ?? '', /paid plan/);
  assert.throws(() => noteOnLimits(files(100_001)), /may have 100000/);
  assert.throws(
    () => noteOnLimits(files(1, 25 * 1024 * 1024 + 1)),
    /^UserError: 0\.html has more than 25 MiB/,
  );
});
