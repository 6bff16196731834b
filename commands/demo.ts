/** `npm run demo`: serves the product with made-up offers, from a data folder of its own, and sends no messages. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MESSAGE_SETTINGS } from '#contract/settings.ts';
import { takeNoOptions } from '../process/read-options.ts';
import { DEMO_FOLDER, makeDemoOffers } from './demo/demo-offers.ts';
import { embeddedDataDir } from './shared/embedded-data-dir.ts';
import '../process/report-errors.ts';

/** Offers that are made where there are none. */
const OFFERS = 100;

takeNoOptions('npm run demo', 'set the port with PORT=5000 npm run demo.');
// Reading the settings takes the secrets out of the environment.
const environment = { ...process.env };
embeddedDataDir(process);
if (!existsSync(join(DEMO_FOLDER, 'database'))) await makeDemoOffers(OFFERS, process);
const withoutMessages = Object.fromEntries(MESSAGE_SETTINGS.map((name) => [name, '']));
Object.assign(process.env, environment, withoutMessages, { DATA_DIR: DEMO_FOLDER });
await import('./start.ts');
