/** The numbers of the demo's names: visits, offers that were begun and sent, and agreements, of each day of a year. */

const DAY_MS = 24 * 3_600_000;
const DAYS = 365;
/** Of today, and of the most visited name. */
const MOST_VISITS = 16;
/** Days before today whose offers are those of the demo. */
const OFFER_DAYS = 11;
/** Share of a day's usual visits, from Sunday. */
const WEEK = [0.72, 1.1, 1.18, 1.15, 1.12, 1.02, 0.71];
/** Share of today's visits a year ago. */
const FIRST_LEVEL = 0.4;
/** A day with a link to one of the names elsewhere: how many days ago, and how many times the usual visits came then. */
const SPIKE = { name: 'quietmotor.com', ago: 97, times: 14 };
const BEGUN_SHARE = 0.055;
const SENT_SHARE = 0.3;

/** One month of a name, as `receive_rows` takes it: the numbers by day from the first, null for none, up to the last one. */
export interface MonthOfNumbers {
  readonly name: string;
  /** `2026-11-01` */
  readonly month: string;
  readonly visits: (number | null)[];
  readonly begun: (number | null)[];
  readonly sent: (number | null)[];
  readonly agreed: (number | null)[];
}

/** Something that happened to a name, so many hours ago. */
interface Event {
  readonly name: string;
  readonly ago: number;
}

/**
 * The same for all calls of a day.
 * @param names the most visited one first
 * @param sent offers of the last ten days
 * @param agreed agreements
 */
export function demoNumbers(
  names: readonly string[],
  { sent, agreed }: { readonly sent: readonly Event[]; readonly agreed: readonly Event[] },
  now: number,
): MonthOfNumbers[] {
  const [offers, deals] = [countByDay(sent, now), countByDay(agreed, now)];
  return names.flatMap((name, rank) => {
    const random = randomOf(rank + 1);
    const months = new Map<string, MonthOfNumbers>();
    for (let ago = DAYS - 1; ago >= 0; ago -= 1) {
      const date = new Date(now - ago * DAY_MS);
      const [day, place] = [date.toISOString().slice(0, 10), date.getUTCDate() - 1];
      const month = `${day.slice(0, 8)}01`;
      const row = months.get(month) ?? { name, month, visits: [], begun: [], sent: [], agreed: [] };
      months.set(month, row);
      const usual = (MOST_VISITS / (rank + 1) ** 0.6) * (FIRST_LEVEL + (1 - FIRST_LEVEL) * (1 - ago / DAYS));
      const visits = countOf(usual * (WEEK[date.getUTCDay()] ?? 1) * spikeOf(name, ago), random);
      const ofOffers = countOf(visits * BEGUN_SHARE * SENT_SHARE, random);
      const sent = ago < OFFER_DAYS ? (offers.get(`${name} ${day}`) ?? 0) : ofOffers;
      const begun = sent + countOf(visits * BEGUN_SHARE * (1 - SENT_SHARE), random);
      // Who sends an offer has begun it, and has visited the page.
      put(row.visits, place, Math.max(visits, begun));
      put(row.begun, place, begun);
      put(row.sent, place, sent);
      put(row.agreed, place, deals.get(`${name} ${day}`) ?? 0);
    }
    return [...months.values()];
  });
}

/** None is null, and days after the last one are missing. */
function put(days: (number | null)[], place: number, count: number): void {
  if (count === 0) return;
  while (days.length < place) days.push(null);
  days[place] = count;
}

/** By `NAME DATE`. */
function countByDay(events: readonly Event[], now: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name, ago } of events) {
    const key = `${name} ${new Date(now - ago * 3_600_000).toISOString().slice(0, 10)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Half as much on each day after. */
function spikeOf(name: string, ago: number): number {
  const days = SPIKE.ago - ago;
  return name === SPIKE.name && days >= 0 ? 1 + (SPIKE.times - 1) / 2 ** days : 1;
}

/** A whole number around the mean, as the visits of one day are: Poisson's distribution, by Knuth. */
function countOf(mean: number, random: () => number): number {
  const limit = Math.exp(-Math.min(mean, 500));
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count += 1;
  return count;
}

/** Numbers from 0 to 1, the same for each seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
