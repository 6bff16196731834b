/** Worker thread that checks the catalogue and the owner's branding. Posts the message of their error, or undefined. */
import { parentPort } from 'node:worker_threads';
import { messageFor } from '../../process/report-and-exit.ts';
import { prepareCatalogue } from '../../site-builder/build-site.ts';

let problem: string | undefined;
try {
  prepareCatalogue();
} catch (error) {
  problem = messageFor(error) ?? String(error);
}
parentPort?.postMessage(problem);
