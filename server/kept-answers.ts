import type { Encoding } from './encodings.ts';
import { PreparedAnswer } from './prepared-answer.ts';

/** In bytes. */
const PIECE = 4 * 1024 * 1024;
/** What an answer takes besides its own bytes, its headers as pairs above all: roughly, in bytes. */
const BESIDES = 1024;

/** Several answers lie in one: each in memory of its own, a page at random would take a tenth more time. */
interface Piece {
  readonly memory: ArrayBuffer;
  used: number;
  readonly holds: { readonly address: string; readonly encoding: Encoding }[];
}

/**
 * Answers that lie ready in memory, up to a size: beyond it, the piece that was filled first is given back. What is
 * asked for often is then read again, which is one read among the thousands that filled the other pieces.
 *
 * One look-up leads from an address to its answer. Most of a page's time goes into memory that no cache holds.
 */
export class KeptAnswers {
  readonly #answers: Readonly<Record<Encoding, Map<string, PreparedAnswer>>> = {
    br: new Map(),
    gzip: new Map(),
    identity: new Map(),
  };
  readonly #pieces: Piece[] = [];
  readonly #max: number;
  readonly #piece: number;
  #size = 0;

  /**
   * @param max bytes; more only where one answer alone is larger
   * @param piece bytes that are taken from the system at once
   */
  constructor(max: number, piece: number = PIECE) {
    this.#max = max;
    this.#piece = piece;
  }

  get(address: string, encoding: Encoding): PreparedAnswer | undefined {
    return this.#answers[encoding].get(address);
  }

  /** Keeps what is not kept yet. */
  add(address: string, encoding: Encoding, headers: string[], body: Buffer): PreparedAnswer {
    const answer = new PreparedAnswer(headers, body, (size) => {
      const piece = this.#pieceFor(size);
      piece.holds.push({ address, encoding });
      piece.used += size;
      return Buffer.from(piece.memory, piece.used - size, size);
    });
    this.#answers[encoding].set(asOwnString(address), answer);
    return answer;
  }

  #pieceFor(size: number): Piece {
    this.#size += BESIDES;
    const last = this.#pieces.at(-1);
    if (last && last.used + size <= last.memory.byteLength) return last;
    const piece: Piece = { memory: new ArrayBuffer(Math.max(size, this.#piece)), used: 0, holds: [] };
    this.#pieces.push(piece);
    this.#size += piece.memory.byteLength;
    while (this.#size > this.#max && this.#pieces.length > 1) this.#forgetFirst();
    return piece;
  }

  #forgetFirst(): void {
    const piece = this.#pieces.shift();
    if (!piece) return;
    for (const { address, encoding } of piece.holds) this.#answers[encoding].delete(address);
    this.#size -= piece.memory.byteLength + piece.holds.length * BESIDES;
  }
}

/** An address that was cut from a path stays a part of it for V8, which compares parts several times slower. */
function asOwnString(address: string): string {
  return Buffer.from(address).toString();
}
