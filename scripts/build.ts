/** `npm run build`: makes the whole site in dist/. */
import { buildSite, prepareCatalogue } from '../build/build.ts';
import { readSettings } from '../server/settings.ts';
import { sayAndExit } from './say-and-exit.ts';

try {
  prepareCatalogue();
  await buildSite(readSettings());
} catch (error) {
  sayAndExit(error);
}
