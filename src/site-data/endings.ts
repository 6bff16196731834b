import { partsOf } from '../domain-name/parts-of.ts';

/** Maximum number of endings to choose from: each is in every page of domains. Others can be typed. */
const MAX_ENDINGS = 24;

/** The endings that most domains have, in alphabetical order. */
export function endingsOf(
  domains: readonly { readonly name: string; readonly shown?: string | undefined }[],
): string[] {
  const byEnding = Map.groupBy(domains, ({ name, shown }) => partsOf(shown ?? name).ending);
  return [...byEnding]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .slice(0, MAX_ENDINGS)
    .map(([ending]) => ending)
    .toSorted();
}
