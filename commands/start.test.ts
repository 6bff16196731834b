import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

/** Lists the modules that are loaded until the process ends. */
const LIST_MODULES = `
  import { registerHooks } from 'node:module';
  const urls = [];
  registerHooks({ load(url, context, next) { urls.push(url); return next(url, context); } });
  process.on('exit', () => console.log(urls.join('\\n')));`;

test('a start imports no package before it serves pages', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      `--import=data:text/javascript,${encodeURIComponent(LIST_MODULES)}`,
      'commands/start.ts',
      // Ends the start as soon as everything has been imported.
      '--no-such-option',
    ],
    { encoding: 'utf8' },
  );
  assert.match(stderr, /npm start takes no option/);
  assert.match(stdout, /static-pages\.ts/);
  assert.deepEqual(stdout.match(/.*\/node_modules\/.*/g), null);
  assert.doesNotMatch(
    stdout,
    /\/(?:server\/(?:embedded|backend-client|catalogue-publication)|commands\/catalogue)\//,
  );
});
