import { callDatabase } from './call-database.ts';
import { createListings } from './listings.ts';
import { readSettings } from './settings.ts';

/** The settings and the catalogue of this process. On the embedded backend one process runs all functions. */
export const settings = readSettings();
export const listings = createListings(callDatabase, settings.adminHost);
