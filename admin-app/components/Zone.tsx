import { zoneName } from '#contract/zone-name.ts';

const TEXT = `Times are ${zoneName('en')}.`;

/** The time zone, once for all times of a list. */
export function Zone() {
  return <p>{TEXT}</p>;
}
