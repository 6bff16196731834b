/**
 * Lets deliveries give way to offers: on the embedded backend they share the processor and the database's connection.
 * While offers arrive no messages are taken, for at most MAX_DELAY_MS; then all that are due are taken, and it begins
 * again.
 */
export interface GiveWay {
  /** Whether messages may be taken now. */
  mayTake(): boolean;
  /** Called after messages were taken. @param all whether none that was due is left */
  taken(all: boolean): void;
}

/** The longest time for which a message waits for offers. */
const MAX_DELAY_MS = 5_000;

/**
 * @param areArriving whether offers arrive at this moment
 * @param now milliseconds since any moment
 */
export function createGiveWay(areArriving: () => boolean, now: () => number): GiveWay {
  /** Since when deliveries give way; undefined while no offers arrive. */
  let since: number | undefined;
  return {
    mayTake: () => {
      if (!areArriving()) {
        since = undefined;
        return true;
      }
      since ??= now();
      return now() - since >= MAX_DELAY_MS;
    },
    taken: (all) => {
      if (all) since = undefined;
    },
  };
}
