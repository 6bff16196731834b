/** Work folders of backups that run at the same time. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { NODE } from '../../tests/support/terminal.ts';

/** Makes many folders one after the other, each of which must be there while it is used. */
const MAKE_FOLDERS = `
  import { existsSync } from 'node:fs';
  import { withWorkFolder } from './commands/backup/work-folder.ts';
  process.setMaxListeners(0);
  for (let at = 0; at < 50; at += 1) {
    await withWorkFolder(process.argv[1], async (path) => {
      await new Promise(setImmediate);
      if (!existsSync(path)) throw new Error('the folder was removed while it was used');
    });
  }
`;

test('runs that begin at the same time leave each other their folders', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'work-folder-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const outcomes = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const child = spawn(
        NODE,
        [
          '--disable-warning=ExperimentalWarning',
          '--input-type=module',
          '-e',
          MAKE_FOLDERS,
          join(folder, 'a.backup'),
        ],
        { stdio: ['ignore', 'ignore', 'pipe'] },
      );
      let errors = '';
      child.stderr.setEncoding('utf8').on('data', (part: string) => {
        errors += part;
      });
      const [code] = await once(child, 'close');
      return { code, errors };
    }),
  );
  assert.deepEqual(outcomes, Array(3).fill({ code: 0, errors: '' }));
  assert.deepEqual(readdirSync(folder), []);
});
