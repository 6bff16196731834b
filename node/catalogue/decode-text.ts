import { isUtf8 } from 'node:buffer';
import { UserError } from '../config/user-error.ts';

/** How many bytes are examined to recognise UTF-16 without a byte order mark. */
const SAMPLE_BYTES = 1_000;

/**
 * Decodes a text file in UTF-8 or UTF-16, with or without a byte order mark.
 * @param shown the file for messages
 * @throws UserError naming the first line that cannot be decoded
 */
export function decodeText(bytes: Buffer, shown: string): string {
  if (bytes.subarray(0, 2).toString() === 'PK') {
    throw new UserError(`${shown} is a spreadsheet or an archive, not a CSV file. Save it as CSV in UTF-8.`);
  }
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const where = encoding === 'utf-8' ? `, line ${firstWrongLine(bytes)},` : '';
    throw new UserError(
      `${shown}${where} is not in ${encoding.toUpperCase()}. Save the file as CSV in UTF-8.`,
    );
  }
}

function encodingOf(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('latin1');
  if (mark === '\xff\xfe') return 'utf-16le';
  if (mark === '\xfe\xff') return 'utf-16be';
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  // Latin letters in UTF-16 have a zero byte each: the second one in little endian.
  const zeros = (position: number) => sample.filter((byte, n) => byte === 0 && n % 2 === position).length;
  if (zeros(1) > sample.length / 4) return 'utf-16le';
  return zeros(0) > sample.length / 4 ? 'utf-16be' : 'utf-8';
}

/** From 1. */
function firstWrongLine(bytes: Buffer): number {
  const lines = bytes.toString('latin1').split('\n');
  return 1 + lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')));
}
