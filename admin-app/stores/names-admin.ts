/** Stores and actions of the page of names, connected to the backend. Loaded with it. */
import { SUPABASE_URL } from 'astro:env/client';
import { createCatalogueApi } from '../api/catalogue.ts';
import { supabase } from '../api/supabase.ts';
import { createAddedNames } from './added-names.ts';
import { cache, call } from './admin.ts';
import { createChosenNames } from './chosen-names.ts';
import { createNamesExport } from './export-names.ts';
import { createNameChanges } from './name-changes.ts';
import { createNames } from './names.ts';
import { createSoldName } from './sold-name.ts';

const catalogue = createCatalogueApi(supabase.auth);
/** A hosted project has no file. */
const readFile: typeof catalogue.readFile = SUPABASE_URL
  ? () => Promise.resolve('unavailable')
  : catalogue.readFile;

export const namesStore = createNames(call, { readFile }, cache);
export const nameChanges = createNameChanges(catalogue, namesStore, cache);
export const chosenNames = createChosenNames(namesStore, nameChanges, cache);
export const addedNames = createAddedNames(catalogue, cache);
export const { showSold } = createSoldName(namesStore, nameChanges, cache);
export const { exportNames } = createNamesExport(chosenNames);
