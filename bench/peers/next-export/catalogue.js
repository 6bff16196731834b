import { readFileSync } from 'node:fs';

/** The same made-up domains as the product's; a page shows its own and the five after it. */
export const domains = JSON.parse(readFileSync(process.env.BENCH_CATALOGUE, 'utf8')).map(
  ({ name, description, hasBroker }) => ({ name, description, hasBroker }),
);

const places = new Map(domains.map(({ name }, place) => [name, place]));

export function shownOn(name) {
  const place = places.get(name) ?? 0;
  return [...domains.slice(place, place + 6), ...domains.slice(0, Math.max(0, place + 6 - domains.length))];
}
