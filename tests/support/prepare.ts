/** Builds the site and boots a database, from which the tests of a run start. Called by the runner before them. */
import buildOnce from './build-once.ts';

buildOnce();
