/** The changes that `add`, `remove`, `sold`, `reserve` and `for-sale` make to the names that they are given. */

import { didYouMean } from '../../process/did-you-mean.ts';
import { UserError } from '../../process/user-error.ts';
import type { Changes } from '../../server/catalogue-edits/changes.ts';
import { readDomainName } from '../../server/catalogue-edits/domain-name.ts';
import type { OwnerCatalogue } from '../../server/catalogue-edits/owner-catalogue.ts';
import type { Catalogue } from '../../src/catalogue/schema.ts';

type Target = Pick<OwnerCatalogue, 'catalogue'>;

/** What is done, and the names that were as wished already. */
export interface NameChanges {
  readonly changes: Changes;
  readonly changed: readonly string[];
  readonly unchanged: readonly string[];
}

/** @throws UserError naming every name that is wrong */
export function addNames(given: readonly string[]): NameChanges {
  const changed = readNames(given);
  return { changes: { add: changed.map((name) => ({ name })) }, changed, unchanged: [] };
}

/** @throws UserError naming every name that is not in the catalogue */
export function removeNames(given: readonly string[], { catalogue }: Target): NameChanges {
  const changed = knownNames(given, catalogue);
  return { changes: { remove: new Set(changed) }, changed, unchanged: [] };
}

/**
 * @param state undefined: for sale again
 * @throws UserError naming every name that is not in the catalogue; then none is changed
 */
export function setState(
  given: readonly string[],
  state: 'sold' | 'reserved' | undefined,
  { catalogue }: Target,
): NameChanges {
  const states = new Map(catalogue.domains.map((entry) => [entry.name, entry.state]));
  const { true: unchanged = [], false: changed = [] } = Object.groupBy(
    knownNames(given, catalogue),
    (name) => `${states.get(name) === state}`,
  );
  return { changes: { set: new Map(changed.map((name) => [name, { state }])) }, changed, unchanged };
}

function knownNames(given: readonly string[], { domains }: Catalogue): string[] {
  const known = new Set(domains.map(({ name }) => name));
  const names = readNames(given);
  reject(
    names
      .filter((name) => !known.has(name))
      .map((name) => `${name} is not in the catalogue.${didYouMean(name, known)}`),
  );
  return names;
}

/** Each name once, in the form that the catalogue has. */
function readNames(given: readonly string[]): string[] {
  const results = given.map(readDomainName);
  reject(results.flatMap((result) => ('problem' in result ? `The name ${result.problem}.` : [])));
  return [...new Set(results.flatMap((result) => ('name' in result ? result.name : [])))];
}

function reject(problems: readonly string[]): void {
  if (problems.length > 0) throw new UserError([...problems, 'Nothing was written.'].join('\n'));
}
