/** Builds the site where it is not what a build would make now, as `npm start` does. */
import { sayAndExit } from '../scripts/say-and-exit.ts';
import { readSettings } from '../server/settings.ts';
import { buildSite, isFresh, prepareCatalogue } from './build.ts';

try {
  const settings = readSettings();
  prepareCatalogue();
  if (!isFresh(settings)) await buildSite(settings);
} catch (error) {
  sayAndExit(error);
}
