import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UserError } from './user-error.ts';

/** A command's options. @param possible the sentence for whoever wrote another one */
export function readOptions<const Config extends ParseArgsConfig>(
  config: Config,
  possible: string,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch {
    throw new UserError(possible);
  }
}

/** Refuses what would be ignored. */
export function takeNoOptions(command: string, remedy: string): void {
  readOptions({}, `${command} takes no options; ${remedy}`);
}
