/** What a build of a running product is given, and what becomes of its output. */
import assert from 'node:assert/strict';
import childProcess from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { readSettings } from '../../config/settings.ts';
import { runBuild } from './run-build.ts';

const ENDED =
  'The system ended the build, perhaps because there was no memory left. The last build is still served.';

/** Starts a build whose process is the test's own. */
function start(context: TestContext, env: Record<string, string> = {}) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const child = Object.assign(new EventEmitter(), { stdin, stdout, stderr });
  const spawn = context.mock.method(childProcess, 'spawn', () => child as never);
  syncBuiltinESMExports();
  const printed: string[] = [];
  const console = {
    ...globalThis.console,
    log: (line: string) => void printed.push(line),
    warn: (line: string) => void printed.push(`Warning: ${line}`),
  } as Console;
  const { signal } = new AbortController();
  const result = runBuild(readSettings(env), signal, console);
  spawn.mock.restore();
  syncBuiltinESMExports();
  return { child, result, printed };
}

test('a build is given the settings that are on pages, and no secret', async (context) => {
  const env = {
    ...{ DATA_DIR: '/srv/data', ADMIN_HOST: 'admin.example.com', ADMIN_PASSWORD: 'a-secret-of-the-owner' },
    ...{ TURNSTILE_SITE_KEY: '0xsite', TURNSTILE_SECRET_KEY: '0xsecret' },
    ...{ SUPABASE_URL: 'https://a.supabase.example', SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_a' },
    SUPABASE_SECRET_KEY: 'sb_secret_a',
  };
  const [line] = await once(start(context, env).child.stdin, 'data');
  assert.deepEqual(JSON.parse(String(line)), {
    ...{ dataDir: '/srv/data', adminHost: 'admin.example.com', turnstile: { siteKey: '0xsite' } },
    supabase: { url: 'https://a.supabase.example', publishableKey: 'sb_publishable_a' },
  });
  assert.match(String(line), /\n$/);
});

for (const [what, code, errors, problem, ...warned] of [
  ['that went well', 0, '', undefined],
  ['that went well with a warning', 0, 'old\n', undefined, 'Warning: old'],
  ['with an error', 1, '\u001B[31mtheme.css:1:1 is wrong\u001B[39m\n', 'theme.css:1:1 is wrong'],
  ['with a long error', 1, `${'x'.repeat(3_000)} at the end`, `${'x'.repeat(1_989)} at the end`],
  ['that the system ended', null, 'half of a line', `half of a line\n${ENDED}`],
  ['that the system ended without a word', null, '', ENDED],
  ['that failed without a word', 1, '\n', ENDED],
] as const) {
  test(`a build ${what} has its own result`, async (context) => {
    const { child, result, printed } = start(context);
    // Of a process that has ended before its input was written.
    child.stdin.destroy(new Error('EPIPE'));
    child.stdout.end('Building the pages …\n');
    child.stderr.end(errors);
    await once(child.stdout, 'close');
    child.emit('close', code);
    assert.equal(await result, problem);
    assert.deepEqual(printed, ['Building the pages …', ...warned]);
  });
}

test('a build that cannot begin has an error', async (context) => {
  const { child, result } = start(context);
  for (const output of [child.stdout, child.stderr]) output.end();
  child.emit('error', new Error('spawn ENOMEM'));
  assert.equal(await result, ENDED);
});
