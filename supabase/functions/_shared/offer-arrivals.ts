/** Whether offers arrive at this moment. */

/** Offers arrive until this long after the last one: longer than a burst pauses while the database is busy. */
const QUIET_MS = 300;

/** @param now milliseconds since any moment */
export function createOfferArrivals(now = () => performance.now()) {
  let last = Number.NEGATIVE_INFINITY;
  return {
    /** Called for each offer that was stored. */
    add: () => {
      last = now();
    },
    areArriving: () => now() - last < QUIET_MS,
  };
}

/**
 * Those of this process. On the embedded backend one process runs all functions. A hosted project runs each in a process
 * of its own, and so `deliver` sees none there: its deliveries take no time from the offers.
 */
export const offerArrivals = createOfferArrivals();
