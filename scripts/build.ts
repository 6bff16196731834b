/** `npm run build`: makes the whole site in dist/. */
import { buildSite, prepareCatalogue } from '../build/build.ts';
import { readSettings } from '../server/settings.ts';
import { takeNoOptions } from './read-options.ts';
import { sayAndExit } from './say-and-exit.ts';

try {
  takeNoOptions('npm run build', 'what it builds is set in .env: see .env.example.');
  prepareCatalogue();
  await buildSite(readSettings());
} catch (error) {
  sayAndExit(error);
}
