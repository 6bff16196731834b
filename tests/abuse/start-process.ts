/** The product's own process, started to fail: for what `startProduct` would take as an error. */
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { ADMIN } from '../support/product.ts';

export function startProcess(env: Record<string, string>): ChildProcess {
  return spawn(
    resolve('node_modules/.bin/node'),
    ['--disable-warning=ExperimentalWarning', 'node/commands/start.ts'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: '0',
        ADMIN_EMAIL: ADMIN.email,
        ADMIN_PASSWORD: ADMIN.password,
        ...env,
      },
    },
  );
}

/** What a start that fails says, and its exit code. */
export async function failedStart(
  env: Record<string, string>,
): Promise<{ code: number | null; said: string }> {
  const child = startProcess(env);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      // It should not have come so far.
      if (said.includes('Ready: ')) child.kill('SIGTERM');
    });
  }
  return { code: await untilEnded(child), said };
}

export async function untilEnded(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    await new Promise((ended) => child.once('exit', ended));
  }
  return child.exitCode;
}
