/** Creates a cache in memory of at most `max` entries; the oldest one is evicted first. */
export function fifoCache<Value>(max: number) {
  const entries = new Map<string, Value>();
  return {
    get: (key: string) => entries.get(key),
    set: (key: string, value: Value) => {
      entries.delete(key);
      entries.set(key, value);
      const [oldest = ''] = entries.keys();
      if (entries.size > max) entries.delete(oldest);
    },
  };
}
