import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { denoArguments, denoBinary, startFunctions } from './functions-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'functions-'));
const program = join(folder, 'probe.ts');
const servers = [
  createServer((_, response) => response.end()),
  createServer((_, response) => response.end()),
];
let [database, other] = [0, 0];
before(async () => {
  [database = 0, other = 0] = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) =>
          server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
        ),
    ),
  );
  // Tries each right, and prints the outcome.
  writeFileSync(
    program,
    `const tries = {
      database: () => Deno.connect({ hostname: '127.0.0.1', port: ${database} }),
      otherPort: () => Deno.connect({ hostname: '127.0.0.1', port: ${other} }),
      otherHost: () => fetch('https://example.com'),
      dns: () => Deno.resolveDns('example.com', 'A'),
      read: () => Deno.readTextFile('/etc/passwd'),
      readHere: () => Deno.readTextFile('package.json'),
      write: () => Deno.writeTextFile('${folder}/written', ''),
      run: () => new Deno.Command('id').output(),
      ffi: () => Deno.dlopen('libc.so.6', {}),
    };
    const outcomes = {};
    for (const [name, attempt] of Object.entries(tries)) {
      outcomes[name] = await Promise.resolve().then(attempt).then(() => 'allowed', (error) => error.name);
    }
    console.log(JSON.stringify(outcomes));
    Deno.exit();`,
  );
});
after(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the functions reach the database, and no other host, file or program', () => {
  const env = {
    PATH: process.env.PATH ?? '',
    DENO_DIR: join(process.cwd(), 'node_modules/.cache/deno'),
    SUPABASE_URL: `http://127.0.0.1:${database}`,
  };
  const { stdout, stderr } = spawnSync(denoBinary(), denoArguments(env, undefined, program), {
    env,
    encoding: 'utf8',
  });
  const denied = 'NotCapable';
  assert.deepEqual(
    JSON.parse(stdout || '{}'),
    {
      database: 'allowed',
      otherPort: denied,
      otherHost: denied,
      dns: denied,
      read: denied,
      readHere: denied,
      write: denied,
      run: denied,
      ffi: denied,
    },
    stderr,
  );
});

test('functions that do not start are reported with the reason', async () => {
  for (const [deno, reason] of [
    ['/nowhere/deno', 'spawn /nowhere/deno ENOENT. Run npm ci and try again'],
    ['false', 'Deno ended with 1 (see the log above)'],
  ] as const) {
    const options = { publishableKey: '', functionsEnv: {}, onLog: () => {} };
    const functions = startFunctions(options, { origin: 'http://127.0.0.1:1', secretKey: '' }, deno);
    await assert.rejects(functions.up, {
      name: 'UserError',
      message: `Edge functions failed to start: ${reason}.`,
    });
    await functions.process.stop();
  }
});

test('the network rights grow by exactly the hosts and ports that messages are sent to', () => {
  const rightsOf = (env: Record<string, string>) =>
    denoArguments({ SUPABASE_URL: 'http://127.0.0.1:1', ...env }, 2)
      .find((argument) => argument.startsWith('--allow-net='))
      ?.slice('--allow-net='.length)
      .split(',');
  const without = rightsOf({}) ?? [];
  const messages = {
    SMTP_URL: 'smtps://user:password@smtp.example.com',
    MAIL_FROM: 'a@example.com',
    MAIL_TO: 'a@example.com',
    NOTIFY_URL: 'https://hooks.example.com/x,https://hooks.example.com/y,http://127.0.0.1:8080/z',
  };
  assert.deepEqual(rightsOf(messages), [
    ...without,
    'smtp.example.com:465',
    'hooks.example.com:443',
    '127.0.0.1:8080',
  ]);
});
