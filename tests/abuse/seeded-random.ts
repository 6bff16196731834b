/** Random numbers that a later run can repeat: the seed is printed, and ABUSE_SEED sets it. */

const LARGEST_SEED = 2 ** 31 - 1;

/** The seed of this run. The runner sets one for all test files; a file that runs by itself chooses its own. */
export const SEED = seedOf(process.env.ABUSE_SEED);

/** @throws Error where the variable is set to something else than a whole number of at most 31 bits */
export function seedOf(text: string | undefined): number {
  if (!text) return Math.floor(Math.random() * LARGEST_SEED);
  const seed = Number(text);
  if (!Number.isInteger(seed) || seed < 0 || seed > LARGEST_SEED) {
    throw new Error(`ABUSE_SEED is “${text}”, but must be a whole number from 0 to ${LARGEST_SEED}.`);
  }
  return seed;
}

/**
 * Returns a function like `Math.random` whose numbers follow from the seed (Mulberry32), and prints how to repeat them.
 * @param name of the test, which makes its numbers independent of how many another test took
 */
export function seededRandom(name: string, seed = SEED, print = console.log): () => number {
  print(`${name}: random numbers of ABUSE_SEED=${seed}`);
  let state = [...name].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
