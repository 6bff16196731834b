import { type ParseArgsConfig, parseArgs } from 'node:util';
import { nearest } from './nearest.mjs';
import { UserError } from './user-error.ts';

/**
 * Parses a command's options.
 * @param possible what the command takes
 * @throws UserError naming the first wrong argument
 */
export function readOptions<const Config extends ParseArgsConfig>(
  config: Config,
  possible: string,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch {
    throw new UserError(describeWrong(config, possible));
  }
}

/** Rejects arguments that would be ignored. */
export function takeNoOptions(command: string, remedy: string, args = process.argv.slice(2)): void {
  readOptions({ args }, `${command} takes no options; ${remedy}`);
}

/** The error for a wrong or missing value of an option. @param name with its dashes */
export function wrongValue(name: string, value: string | undefined, possible: string): UserError {
  return new UserError(`${value === undefined ? '' : `${name} is ${JSON.stringify(value)}. `}${possible}`);
}

/** The error for an argument behind the last one that a command takes. */
export function oneTooMany(argument: string | undefined, possible: string): UserError {
  return new UserError(`The argument ${JSON.stringify(argument)} is one too many. ${possible}`);
}

function describeWrong(config: ParseArgsConfig, possible: string): string {
  const { options = {}, allowPositionals } = config;
  const orMeant = (name: string) => {
    const meant = nearest(name, Object.keys(options));
    return meant === undefined ? possible : `Did you mean --${meant}?`;
  };
  const { tokens } = parseArgs({ ...config, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'positional' && !allowPositionals)
      return oneTooMany(token.value, orMeant(token.value)).message;
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const type = options[name]?.type;
    if (type === undefined) return `There is no option ${rawName}. ${orMeant(name)}`;
    if (type === 'boolean' && value !== undefined) return `The option ${rawName} takes no value. ${possible}`;
    // As parseArgs has it: what begins with a dash is the next option, unless it follows "=".
    const isMissing = value === undefined || (!inlineValue && value.startsWith('-'));
    if (type === 'string' && isMissing) return `The option ${rawName} needs a value. ${possible}`;
  }
  return possible;
}
