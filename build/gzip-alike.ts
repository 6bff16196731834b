/** Compresses pages that begin alike by gzip: what they begin with is compressed once. */
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { roomFor } from './room-for.ts';

/** As RFC 1952 has it: deflate, no flags, no time, no system in particular. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** So far back a compressor can refer, in bytes. */
const WINDOW = 32 * 1024;
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * A compressor that does a page's beginning, to the end of its first style sheet, once for all that have the same: half
 * of a page, and in thousands of pages the same. The rest may refer to it, as in one piece.
 */
export function gzipAlike(level: number): (body: Buffer) => Buffer {
  let beginning = NOTHING;
  let compressed = NOTHING;
  return (body) => {
    if (beginning === NOTHING || !body.subarray(0, beginning.byteLength).equals(beginning)) {
      beginning = beginningOf(body);
      compressed = beginning === NOTHING ? NOTHING : deflateRawSync(beginning, { level, ...GOES_ON });
    }
    const rest = body.subarray(beginning.byteLength);
    const end = deflateRawSync(rest, { level, chunkSize: roomFor(rest), ...after(beginning) });
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc32(body), 0);
    trailer.writeUInt32LE(body.byteLength, 4);
    return Buffer.concat([HEADER, compressed, end, trailer]);
  };
}

const GOES_ON = { finishFlush: constants.Z_SYNC_FLUSH };

function beginningOf(body: Buffer): Buffer {
  const end = body.subarray(0, WINDOW).indexOf('</style>');
  // A copy: the body's memory may be used again.
  return end > 0 ? Buffer.from(body.subarray(0, end)) : NOTHING;
}

function after(beginning: Buffer): { dictionary?: Buffer } {
  return beginning === NOTHING ? {} : { dictionary: beginning };
}
