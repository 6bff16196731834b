/** `npm start [-- --watch]`: serves the product (start-product.ts) until a signal stops it. */

import { readSettings } from '../config/settings.ts';
import { readOptions } from '../process/read-options.ts';
import { assertPortFree } from '../server/http/listen.ts';
import { startProduct } from '../server/start/start-product.ts';
import '../process/report-errors.ts';

const { values } = readOptions(
  { options: { watch: { type: 'boolean', default: false } } },
  'npm start takes no option but --watch (npm start -- --watch builds after each edit of the catalogue); ' +
    'set the port with PORT=5000 npm start.',
);
const settings = readSettings();
await assertPortFree(settings);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
const product = await startProduct({ settings, watch: values.watch, signal: stopping.signal });
if (stopping.signal.aborted) await stop();
else stopping.signal.addEventListener('abort', () => void stop());

async function stop(): Promise<void> {
  await product.close();
  process.exit(0);
}
