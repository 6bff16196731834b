import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';
import { assertOutsideSite } from './clone-folders.ts';

const root = mkdtempSync(join(tmpdir(), 'project-'));
after(() => rmSync(root, { recursive: true, force: true }));
for (const folder of ['public', 'src/deep', 'elsewhere/real', 'publicity']) {
  mkdirSync(join(root, folder), { recursive: true });
}
symlinkSync(join(root, 'public'), join(root, 'link'));
symlinkSync('../public/not-yet', join(root, 'elsewhere/dangling'));
symlinkSync(join(root, 'elsewhere/real'), join(root, 'dist'));
symlinkSync(join(root, 'round'), join(root, 'round'));

for (const path of [
  'public',
  'public/data',
  'public/not/yet/there',
  'src/deep/data',
  'admin-app/data',
  'process/x.csv',
  'config/x.csv',
  'site-builder/x.csv',
  'server/x.csv',
  'commands/x.csv',
  'supabase/x.backup',
  'node_modules/offers.csv',
  'node_modules/.data',
  'link',
  'link/data',
  'elsewhere/dangling',
  'elsewhere/dangling/data',
  'elsewhere/real/data',
  '.data/../public/data',
]) {
  test(`${path} is inside the site`, () => {
    for (const form of [join(root, path), relative('.', join(root, path))]) {
      assert.throws(() => assertOutsideSite('DATA_DIR', form, root), {
        name: 'UserError',
        message:
          /^DATA_DIR is “.+”, which is inside the project’s folder [\w-]+\/\. .* Name a folder outside it\.$/,
      });
    }
  });
}

for (const path of [
  '.data',
  'publicity/data',
  'elsewhere/data',
  'srcs',
  '..public',
  '../public',
  'round/x',
]) {
  test(`${path} is outside the site`, () => {
    assert.doesNotThrow(() => assertOutsideSite('DATA_DIR', join(root, path), root));
  });
}
