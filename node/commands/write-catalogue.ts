/** Checks the catalogue and writes the part of it that the functions import; the build does so too. */

import { reportAndExit } from '../config/report-and-exit.ts';
import { prepareCatalogue } from '../site-builder/build-site.ts';

try {
  prepareCatalogue();
} catch (error) {
  reportAndExit(error);
}
