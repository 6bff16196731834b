/** Where the dashboard reads and changes the catalogue's file; see names.ts. Without schemas, which a start need not load. */
export const CATALOGUE_PATH = '/admin/catalogue';
