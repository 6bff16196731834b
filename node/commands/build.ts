/** `npm run build`: makes the whole site in dist/. */

import { takeNoOptions } from '../config/read-options.ts';
import { reportAndExit } from '../config/report-and-exit.ts';
import { readSettings } from '../config/settings.ts';
import { buildSite, prepareCatalogue } from '../site-builder/build-site.ts';

try {
  takeNoOptions('npm run build', 'what it builds is set in .env: see .env.example.');
  prepareCatalogue();
  await buildSite(readSettings());
} catch (error) {
  reportAndExit(error);
}
