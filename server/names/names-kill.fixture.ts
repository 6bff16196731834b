/** A process that changes names, and kills itself at a step: `names-kill.fixture.ts FOLDER STEP`. */
import { newIo } from '../../tests/support/run-command.ts';
import { aroundRename } from './before-rename.fixture.ts';
import { changeNames } from './change-names.ts';
import { storedChanges } from './stored-changes.fixture.ts';

const [, , folder = '', killedAt] = process.argv;
const database = storedChanges(`${folder}/database.json`);
const kill = (step: string) => {
  if (step === killedAt) process.kill(process.pid, 'SIGKILL');
};
const part = (path: string) => (path.endsWith('.yaml') ? 'the file' : 'the copy');
database.at(kill);
aroundRename(
  (path) => kill(`before ${part(path)}`),
  (path) => kill(`after ${part(path)}`),
);
const change = { name: 'lap.app', field: 'state', from: null, to: 'sold' };
await changeNames(
  { action: 'change', batch: '0190a5b0-1111-4222-8333-444455556666', changes: [change] },
  { io: newIo({ cwd: folder }), call: database.call, adminHost: undefined },
);
