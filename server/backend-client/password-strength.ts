/** Checks how easily the administrator's password can be guessed. */

/** The shortest password, in characters. */
export const MIN_PASSWORD = 12;

/** zxcvbn's score from 0 to 4; 4 means that a password takes more than 10 billion guesses. */
const MIN_SCORE = 4;

/** Words that an attacker who sees the product tries first. */
const PRODUCT_WORDS = [
  ...['admin', 'administrator', 'password', 'dashboard', 'login', 'owner', 'supabase'],
  ...['domains', 'domain storefront', 'domain sales', 'for sale', 'offer', 'offers'],
];

/**
 * Compares with lists of common passwords, English words and names, and their usual changes (letters for digits,
 * repetitions, keyboard rows).
 * @param email of the account; its parts are easily guessed
 * @param siteWords what visitors read on the site, such as the names for sale and the page's header
 * @param load absent: loads the lists for this password alone, since they take some 7 MB
 * @returns what is wrong, as the end of a sentence that begins with the setting's name; undefined for a good password
 */
export async function weaknessOf(
  password: string,
  email: string,
  siteWords: readonly string[] = [],
  load = loadLists,
): Promise<string | undefined> {
  if ([...password].length < MIN_PASSWORD) return `has fewer than ${MIN_PASSWORD} characters`;
  const zxcvbn = await load();
  const { score } = zxcvbn.check(password, guessesFor(password, [email, ...PRODUCT_WORDS, ...siteWords]));
  return score < MIN_SCORE ? 'is a common password, or easily guessed from one' : undefined;
}

export async function loadLists() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  return new ZxcvbnFactory({
    dictionary: { ...dictionary, ...english.dictionary },
    graphs: adjacencyGraphs,
  });
}

/**
 * Phrases, written together as well, and their words. Those that the password contains come first: zxcvbn takes the
 * position in the list for the number of guesses, and a catalogue may be long.
 */
function guessesFor(password: string, phrases: readonly string[]): string[] {
  const all = phrases.flatMap((phrase) => {
    const lower = phrase.toLowerCase();
    const words = lower.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);
    return [lower, words.join(''), ...words];
  });
  const unique = [...new Set(all)].filter((guess) => guess !== '');
  const text = password.toLowerCase();
  return unique.sort((one, other) => Number(text.includes(other)) - Number(text.includes(one)));
}
