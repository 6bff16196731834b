import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { installOnDemand, packagesOf } from './install-on-demand.ts';

test('a machine without npm is told, and nothing is left', async (context) => {
  const wanted = { title: 'It', name: 'test-of-install', version: '1.0.0', megabytes: 1, program: 'x.js' };
  const { PATH } = process.env;
  context.after(() => {
    process.env.PATH = PATH;
    rmSync(dirname(dirname(packagesOf(wanted))), { recursive: true, force: true });
  });
  context.mock.method(console, 'log', () => {});
  process.env.PATH = '/nowhere';
  await assert.rejects(installOnDemand(wanted), {
    name: 'UserError',
    message: /It 1\.0\.0 could not be installed with npm/,
  });
  assert.equal(existsSync(dirname(packagesOf(wanted))), false);
});
