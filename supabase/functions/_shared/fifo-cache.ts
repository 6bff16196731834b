/** Entries in memory up to a number; the oldest one is evicted first. */
export interface FifoCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** @param max the number of entries */
export function fifoCache<Value>(max: number): FifoCache<Value> {
  const entries = new Map<string, Value>();
  return {
    get: (key) => entries.get(key),
    set: (key, value) => {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size <= max) return;
      for (const oldest of entries.keys()) {
        entries.delete(oldest);
        return;
      }
    },
  };
}
