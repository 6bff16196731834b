import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UserError } from './user-error.ts';

/** Parses a command's options. @param possible the error message for an unknown option */
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

/** Rejects arguments that would be ignored. */
export function takeNoOptions(command: string, remedy: string): void {
  readOptions({}, `${command} takes no options; ${remedy}`);
}
