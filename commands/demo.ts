/** `npm run demo`: serves the product with made-up offers, from a data folder of its own, and sends no messages. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MESSAGE_SETTINGS } from '#contract/settings.ts';
import { consoleOf } from '../process/command.ts';
import { takeNoOptions } from '../process/read-options.ts';
import { DEMO_FOLDER, describeAge, fillDemoFolder } from './demo/demo-folder.ts';
import { addDemoOffers } from './demo/demo-offers.ts';
import { embeddedDataDir } from './shared/embedded-data-dir.ts';
import '../process/report-errors.ts';

takeNoOptions('npm run demo', 'set the port with PORT=5000 npm run demo.');
// Reading the settings takes the secrets out of the environment.
const environment = { ...process.env };
embeddedDataDir(process);
if (!existsSync(join(DEMO_FOLDER, 'database'))) {
  await fillDemoFolder(process, (project) => addDemoOffers(project, DEMO_FOLDER));
}
Object.assign(process.env, environment, Object.fromEntries(MESSAGE_SETTINGS.map((name) => [name, ''])), {
  DATA_DIR: DEMO_FOLDER,
  DEMO_DIR: DEMO_FOLDER,
  // Not the first administrator of the clone, for whom a start prints commands.
  ADMIN_EMAIL: environment.ADMIN_EMAIL ?? 'demo@example.com',
});
// Without one, the folder is of npm run seed, with offers for the clone's names.
const catalogue = join(DEMO_FOLDER, 'catalogue.yaml');
if (existsSync(catalogue)) {
  process.env.CATALOGUE = catalogue;
  const age = describeAge(DEMO_FOLDER, Date.now());
  if (age !== undefined) consoleOf(process).log(age);
}
await import('./start.ts');
