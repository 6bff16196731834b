/** Builds the site where it is not what a build would make now, as `npm start` does. */
import { readSettings } from '../config/settings.ts';
import { isFresh } from '../site-builder/build-hash.ts';
import { buildSite, prepareCatalogue } from '../site-builder/build-site.ts';
import '../process/report-errors.ts';

const settings = readSettings();
prepareCatalogue();
if (!isFresh(settings)) await buildSite(settings);
