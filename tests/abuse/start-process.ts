/** The product's own process, started to fail: for what `startProduct` would take as an error. */
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { BASE_ENV } from '../support/base-environment.ts';
import { BREAKABLE } from '../support/break-thread.ts';
import { ADMIN } from '../support/product.ts';

export function startProcess(env: Record<string, string>): ChildProcess {
  return spawn(
    resolve('node_modules/.bin/node'),
    ['--disable-warning=ExperimentalWarning', ...BREAKABLE, 'commands/start.ts'],
    {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...BASE_ENV,
        PORT: '0',
        ADMIN_EMAIL: ADMIN.email,
        ADMIN_PASSWORD: ADMIN.password,
        ...env,
      },
    },
  );
}

/** Returns the output and exit code of a start that fails. */
export async function failedStart(
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const child = startProcess(env);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      // It should not have come so far.
      if (output.includes('Ready: ')) child.kill('SIGTERM');
    });
  }
  return { code: await waitForExit(child), output };
}

export async function waitForExit(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    await new Promise((ended) => child.once('exit', ended));
  }
  return child.exitCode;
}
