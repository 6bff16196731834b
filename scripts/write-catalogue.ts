/** Checks the catalogue and writes the part of it that the functions import; the build does so too. */
import { prepareCatalogue } from '../build/build.ts';
import { sayAndExit } from './say-and-exit.ts';

try {
  prepareCatalogue();
} catch (error) {
  sayAndExit(error);
}
