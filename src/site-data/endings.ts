import { partsOf } from '../domain-name/parts-of.ts';
import type { Domain } from './for-sale.ts';

/** Maximum number of endings to choose from: each is in every page of domains. Others can be typed. */
const MAX_ENDINGS = 24;

/** Each of thousands of pages asks for the same ones. */
const known = new WeakMap<readonly Domain[], string[]>();

/** The endings that most domains have, in alphabetical order. */
export function endingsOf(domains: readonly Domain[]): string[] {
  let endings = known.get(domains);
  if (!endings) {
    const byEnding = Map.groupBy(domains, ({ name, shown }) => partsOf(shown ?? name).ending);
    endings = [...byEnding]
      .toSorted(([, one], [, other]) => other.length - one.length)
      .slice(0, MAX_ENDINGS)
      .map(([ending]) => ending)
      .toSorted();
    known.set(domains, endings);
  }
  return endings;
}
