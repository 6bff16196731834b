/** `npm run move`, the name of `npm run transfer` until 0.2. Goes with 0.4. */
import { consoleOf, type Run, runAsProcess } from '../config/command.ts';
import { reportInterrupt } from '../config/report-interrupt.ts';
import { STOPPED, run as transfer } from './transfer.ts';

export const run: Run = async (argv, io) => {
  consoleOf(io).error(
    'npm run move is now npm run transfer, with the same options; the old name goes with version 0.4.',
  );
  return await transfer(argv, io);
};

if (import.meta.main) {
  reportInterrupt(STOPPED);
  await runAsProcess(run);
}
