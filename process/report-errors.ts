/** Imported by commands: an error that nothing catches ends the process as `reportAndExit` does. */
import { reportAndExit } from './report-and-exit.ts';

process.on('uncaughtException', reportAndExit);
