/** Which domains a page shows. A page's size must not grow with the catalogue. */

/** Up to so many domains, every page shows them all; beyond, there are catalogue pages. */
export const WHOLE_CATALOGUE = 24;
/** So many stand on a catalogue page, which then is as light as a domain's own. */
export const LISTING = 48;
/** Beyond: how many a domain's page shows, its own included, and how many the page with nothing selected. */
const ON_DOMAIN_PAGE = 6;
const ON_FIRST_PAGE = 12;

/** How many pages list a catalogue of so many domains: none where every page shows them all. */
export function listingsOf(domains: number): number {
  return domains > WHOLE_CATALOGUE ? Math.ceil(domains / LISTING) : 0;
}

export interface Shelves<Domain> {
  /** Whether pages show a part of the catalogue only. */
  readonly partial: boolean;
  /**
   * The domains that a page shows, in the owner's order where it shows them all.
   * @param selected the page's own domain, which then comes first
   */
  shownOn(selected?: string): Domain[];
}

/** Related are the next ones with the same ending, then the next ones in the owner's order. */
export function shelvesOf<Domain extends { name: string }>(domains: Domain[]): Shelves<Domain> {
  const partial = domains.length > WHOLE_CATALOGUE;
  const places = new Map(domains.map(({ name }, place) => [name, place]));
  const byEnding = Map.groupBy(domains, ({ name }) => endingOf(name));
  const placesInEnding = new Map(
    [...byEnding.values()].flatMap((group) => group.map(({ name }, place) => [name, place])),
  );

  return {
    partial,
    shownOn: (selected) => {
      if (!partial) return domains;
      const place = selected === undefined ? undefined : places.get(selected);
      if (selected === undefined || place === undefined) return domains.slice(0, ON_FIRST_PAGE);
      const sameEnding = byEnding.get(endingOf(selected)) ?? [];
      const related = [
        ...following(sameEnding, placesInEnding.get(selected) ?? 0, ON_DOMAIN_PAGE),
        ...following(domains, place, ON_DOMAIN_PAGE),
      ];
      return [...new Set(related)].slice(0, ON_DOMAIN_PAGE);
    },
  };
}

/** The one at `place` and those after it, from the beginning again after the last. */
function following<Domain>(domains: Domain[], place: number, count: number): Domain[] {
  const after = domains.slice(place, place + count);
  return after.concat(domains.slice(0, Math.min(count - after.length, place)));
}

function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.'));
}
