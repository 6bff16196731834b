import { wrongValue } from '../../process/read-options.ts';

/** The value of `--separator`, by default a comma. @throws UserError for anything but a comma or a semicolon */
export function separatorOf(given: string | undefined): ',' | ';' {
  if (given === undefined || given === ',' || given === ';') return given ?? ',';
  throw wrongValue('--separator', given, 'Please write --separator ";" or --separator ",".');
}
