import { createInterface } from 'node:readline/promises';
import type { Io } from './command.ts';
import { UserError } from './user-error.ts';

/** Asks on the terminal whether to go on. @throws UserError without a terminal */
export async function confirm(
  question: string,
  { verb, done }: { verb: string; done: string },
  { stdin: input, stdout: output }: Io,
): Promise<boolean> {
  if (!input.isTTY || !output.isTTY) {
    throw new UserError(
      `Nothing was ${done}, because there is no terminal to ask on. To ${verb} without a question, add --yes.`,
    );
  }
  const terminal = createInterface({ input, output });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`\n${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
