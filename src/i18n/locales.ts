/** The languages there are, by their BCP 47 codes. A further one is a file like these, and its line here. */
export { de } from './de.ts';
export { en } from './en.ts';
