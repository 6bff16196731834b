import { UserError } from '../config/user-error.ts';

/** Bytes at the beginning of a file in UTF-16. */
const MARKS = { 'utf-16le': [0xff, 0xfe], 'utf-16be': [0xfe, 0xff] } as const;

/** How many bytes are examined to recognise UTF-16 without a mark. */
const SAMPLE_BYTES = 1_000;

/**
 * Decodes a text file in UTF-8 or UTF-16, with or without a byte order mark.
 * @param shown the file for messages
 * @throws UserError naming the first line that cannot be decoded
 */
export function decodeText(bytes: Uint8Array, shown: string): string {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
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

function encodingOf(bytes: Uint8Array): 'utf-8' | keyof typeof MARKS {
  for (const encoding of ['utf-16le', 'utf-16be'] as const) {
    if (MARKS[encoding].every((byte, index) => bytes[index] === byte)) return encoding;
  }
  // Latin letters in UTF-16 have a zero byte each: the second one in little endian.
  const zeros = [0, 0];
  for (const [index, byte] of bytes.subarray(0, SAMPLE_BYTES).entries()) {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] as number) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  const quarter = Math.min(bytes.length, SAMPLE_BYTES) / 4;
  if (odd > quarter) return 'utf-16le';
  return even > quarter ? 'utf-16be' : 'utf-8';
}

function firstWrongLine(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const lineBreak = bytes.indexOf(0x0a, start);
    const end = lineBreak < 0 ? bytes.length : lineBreak;
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(start, end));
    } catch {
      return line;
    }
    start = end + 1;
  }
  return line;
}
