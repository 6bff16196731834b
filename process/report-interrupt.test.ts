import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const PROGRAM = `
  import { reportInterrupt } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'report-interrupt.ts')).href)};
  reportInterrupt('Stopped. Run it again.');
  console.log('ready');
  setInterval(() => {}, 1_000);
`;

test('Ctrl-C ends a command with its message', async () => {
  for (const [signal, wanted] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const child = spawn(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      '--input-type=module-typescript',
      '-e',
      PROGRAM,
    ]);
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    await once(child.stdout, 'data');
    child.kill(signal);
    const [code] = await once(child, 'close');
    assert.deepEqual([code, errors], [wanted, '\nStopped. Run it again.\n\n']);
  }
});
