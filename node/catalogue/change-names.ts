/** The changes that `add`, `remove`, `sold`, `reserve` and `for-sale` make to the names that they are given. */
import type { Catalogue } from '../../src/catalogue/schema.ts';
import { UserError } from '../config/user-error.ts';
import type { Changes } from './changes.ts';
import { readDomainName } from './domain-name.ts';
import { howToWriteDefaults, missingFields } from './missing-defaults.ts';
import type { OwnerCatalogue } from './owner-catalogue.ts';

type Target = Pick<OwnerCatalogue, 'shown' | 'catalogue' | 'defaults'>;

/** What is done, and the names that were as wished already. */
export interface NameChanges {
  readonly changes: Changes;
  readonly changed: readonly string[];
  readonly unchanged: readonly string[];
}

/** @throws UserError naming every name that is wrong or there already; then none is added */
export function addNames(given: readonly string[], { shown, catalogue, defaults }: Target): NameChanges {
  const missing = missingFields({}, defaults);
  if (missing.length > 0) throw new UserError(howToWriteDefaults(shown, missing));
  const changed = readNames(given);
  const entries = new Map(catalogue.domains.map(({ name }, index) => [name, index + 1]));
  const hosts = new Set(catalogue.settings.hosts.map((host) => host.replace(/^www\./, '')));
  reject(
    changed.flatMap((name) => {
      const entry = entries.get(name);
      if (entry !== undefined) return `${name} is in the catalogue already, as entry ${entry}.`;
      return hosts.has(name)
        ? `${name} is a host of the site (settings, field hosts): remove it there first.`
        : [];
    }),
  );
  return { changes: { add: changed.map((name) => ({ name })) }, changed, unchanged: [] };
}

/** @throws UserError naming every name that is not in the catalogue, or if no name would remain */
export function removeNames(given: readonly string[], { catalogue }: Target): NameChanges {
  const changed = knownNames(given, catalogue);
  if (changed.length === catalogue.domains.length) {
    throw new UserError('A catalogue needs at least one name, and this would remove all. Add others first.');
  }
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
  const names = knownNames(given, catalogue);
  const states = new Map(catalogue.domains.map((entry) => [entry.name, entry.state]));
  const changed = names.filter((name) => states.get(name) !== state);
  const unchanged = names.filter((name) => states.get(name) === state);
  return { changes: { set: new Map(changed.map((name) => [name, { state }])) }, changed, unchanged };
}

function knownNames(given: readonly string[], { domains }: Catalogue): string[] {
  const known = new Set(domains.map(({ name }) => name));
  const names = readNames(given);
  reject(names.filter((name) => !known.has(name)).map((name) => `${name} is not in the catalogue.`));
  return names;
}

/** Each name once, in the form that the catalogue has. */
function readNames(given: readonly string[]): string[] {
  const results = given.map(readDomainName);
  reject(results.flatMap((result) => ('problem' in result ? `The name ${result.problem}.` : [])));
  return [...new Set(results.flatMap((result) => ('name' in result ? result.name : [])))];
}

function reject(problems: readonly string[]): void {
  if (problems.length > 0) throw new UserError([...problems, 'Nothing was changed.'].join('\n'));
}
