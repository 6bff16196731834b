/** All languages by BCP 47 code. To add one, write a file like these and export it here. */
export { de } from './de.ts';
export { en } from './en.ts';
