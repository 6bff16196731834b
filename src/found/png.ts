import { crc32 } from 'node:zlib';

export interface IndexedPicture {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Bits of a pixel. */
  readonly depth: 2 | 8;
  /** Red, green and blue of each colour, 0 to 255. */
  readonly palette: readonly number[];
  /** How opaque the first colours are, 0 to 255; the others are opaque. */
  readonly opacity?: readonly number[];
  /** Each begins with the byte that tells how PNG filters it; compressed by zlib. */
  readonly rows: Buffer;
}

/** A picture of known colours as a PNG; libraries make one with a palette by searching for the colours. */
export function pngOf({ width, height, depth, palette, opacity = [], rows }: IndexedPicture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, WITH_PALETTE], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette)),
    ...(opacity.length > 0 ? [chunk('tRNS', Buffer.from(opacity))] : []),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const WITH_PALETTE = 3;

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
