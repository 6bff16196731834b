export interface FifoCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** Creates a cache in memory of at most `max` entries; the oldest one is evicted first. */
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
