/**
 * Makes a `tests/product/*.tar.br`: the data folder of an earlier version, as that version's own code leaves it. Run once for
 * each release, with it in a worktree beside this one; `before-0.2.0.tar.br`, the earliest one that can be opened, is of 8e8a452:
 *
 *   git worktree add --detach ../release v0.2.0
 *   cp -a node_modules ../release/
 *   node tests/support/make-release-fixture.ts ../release tests/product/0.2.0.tar.br
 *   git worktree remove --force ../release
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { changeStatusElsewhere, makeOffer } from './calls.ts';
import { startProductProcess } from './product.ts';
import { RELEASE_OFFERS } from './release-offers.ts';

/** Files that every start makes anew. */
const LEFT_OUT = ['lock', 'lock-journal', 'running.json'];

const [release = '', file = ''] = process.argv.slice(2);
const dataDir = mkdtempSync(join(tmpdir(), 'release-'));
const product = await startProductProcess({ project: release, dataDir });
for (const { status, ...texts } of RELEASE_OFFERS) {
  const id = await makeOffer(product, texts);
  if (status !== 'pending') await changeStatusElsewhere(product, id, status);
}
await product.stop();
const names = readdirSync(dataDir).filter((name) => !LEFT_OUT.includes(name));
const { stdout, status } = spawnSync('tar', ['-c', '-C', dataDir, ...names], { maxBuffer: 2 ** 30 });
if (status !== 0) throw new Error('tar failed');
const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
const archive = brotliCompressSync(stdout, { params });
writeFileSync(file, archive);
rmSync(dataDir, { recursive: true });
console.log(`${names.join(', ')}: ${stdout.length} bytes, compressed ${archive.length}`);
