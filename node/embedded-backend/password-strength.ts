/** Whether a password can be the administrator's. */

/** The shortest password, in characters. */
export const MIN_PASSWORD = 12;

/** zxcvbn's score from 0 to 4; from 3 on a password takes more than 100 million guesses. */
const MIN_SCORE = 3;

/**
 * Compares with lists of common passwords and their usual changes (letters for digits, repetitions, keyboard rows).
 * @param email of the account; its parts make no good password
 * @returns what is wrong with the password, to follow its name in a sentence; undefined where nothing is
 */
export async function weaknessOf(password: string, email: string): Promise<string | undefined> {
  if ([...password].length < MIN_PASSWORD) return `has fewer than ${MIN_PASSWORD} characters`;
  // Some 4 MB that are needed only where a password is set.
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  const { score } = zxcvbn.check(password, [email, ...email.split(/[@.]/)]);
  return score < MIN_SCORE ? 'is a common password, or easily guessed from one' : undefined;
}
