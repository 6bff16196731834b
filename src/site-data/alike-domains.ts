import { lengthOf, partsOf } from '../domain-name/parts-of.ts';

/** Maximum number of domains that the page of a sold or reserved one names. */
const MAX_ALIKE = 6;
/** Domains that are compared, of each word, ending and length, so that the build's time grows with the catalogue alone. */
const MAX_COMPARED = 60;
/** Letters of a word: shorter ones occur in names that have nothing in common. */
const SHORTEST_WORD = 4;
/** Differences in length up to which domains of other endings are compared. */
const NEAR = [0, 1, -1, 2, -2];

interface Named {
  readonly name: string;
  /** Decoded name, where it differs. */
  readonly shown?: string | undefined;
}

/** What is compared. */
interface Traits {
  words: string[];
  ending: string;
  length: number;
}

interface Indexed<Domain> extends Traits {
  domain: Domain;
  position: number;
}

/**
 * Returns a function that finds the domains for sale that are most like another one: with a word in common, with its
 * ending, of about its length. Names have no spaces, so a word is what a part between hyphens begins or ends with: `bike`
 * in `mountainbike.de` and in `bike-shop.de`. Of equally alike ones the first in the owner's order come first.
 * @param domains those for sale
 */
export function alikeDomains<Domain extends Named>(domains: readonly Domain[]): (domain: Named) => Domain[] {
  let index: Map<string, Indexed<Domain>[]> | undefined;
  return (domain) => {
    index ??= indexOf(domains);
    const { words, ending, length } = traitsOf(domain);
    const likeness = new Map<Indexed<Domain>, number>();
    const compare = (key: string, word: number) => {
      for (const other of index?.get(key) ?? []) {
        const sameEnding = other.ending === ending ? 6 : 0;
        const distance = Math.min(6, Math.abs(other.length - length));
        likeness.set(other, Math.max(likeness.get(other) ?? -6, 4 * word + sameEnding - distance));
      }
    };
    for (const word of words) compare(word, word.length);
    for (const more of NEAR) {
      compare(`${length + more}${ending}`, 0);
      compare(`${length + more}`, 0);
    }
    compare(ending, 0);
    compare('', 0);
    return [...likeness]
      .toSorted(([one, alike], [other, more]) => more - alike || one.position - other.position)
      .slice(0, MAX_ALIKE)
      .map(([{ domain }]) => domain);
  };
}

/** By word, by ending, by length, by both, and all, under an empty key. */
function indexOf<Domain extends Named>(domains: readonly Domain[]): Map<string, Indexed<Domain>[]> {
  const index = new Map<string, Indexed<Domain>[]>();
  for (const [position, domain] of domains.entries()) {
    const indexed = { ...traitsOf(domain), domain, position };
    const { words, ending, length } = indexed;
    for (const key of new Set([...words, ending, `${length}`, `${length}${ending}`, ''])) {
      const found = index.get(key) ?? [];
      if (found.length === 0) index.set(key, found);
      if (found.length < MAX_COMPARED) found.push(indexed);
    }
  }
  return index;
}

function traitsOf({ name, shown = name }: Named): Traits {
  const { label, ending } = partsOf(shown);
  const words = label.split('-').flatMap((part) => {
    const lengths = Array.from({ length: part.length }, (_, index) => index + 1);
    return lengths
      .filter((length) => length >= SHORTEST_WORD)
      .flatMap((length) => [part.slice(0, length), part.slice(-length)]);
  });
  return { words, ending, length: lengthOf(label) };
}
