/**
 * How much a compressor takes at once for what comes out, in bytes: nearly always enough for all of it. Node's own 16 KB
 * outlive the compressor of a small page, until V8 marks all memory.
 */
export function roomFor({ byteLength }: Buffer): number {
  return Math.max(1024, byteLength >> 1);
}
