import type { Encoding } from './encodings.ts';
import { PreparedAnswer } from './prepared-answer.ts';

/** In bytes. */
const PIECE = 4 * 1024 * 1024;
/** What an answer takes besides its own bytes, its headers as pairs above all: roughly and at most, in bytes. */
const BESIDES = 1024;

/** Several answers lie in one: each in memory of its own, a page at random would take a tenth more time. */
interface Piece {
  readonly encoding: Encoding;
  readonly memory: ArrayBuffer;
  used: number;
  readonly addresses: string[];
}

/**
 * Answers that lie ready in memory, up to a size: beyond it, the piece that was filled first is given back. What is
 * asked for often is then read again, which is one read among the thousands that filled the other pieces.
 *
 * One look-up leads from an address to its answer. Most of a page's time goes into memory that no cache holds, so what
 * is looked at for a page is little and lies close: each encoding has pieces of its own.
 */
export class KeptAnswers {
  readonly #answers: Readonly<Record<Encoding, Map<string, PreparedAnswer>>> = {
    br: new Map(),
    gzip: new Map(),
    identity: new Map(),
  };
  /** As they were begun. */
  readonly #pieces: Piece[] = [];
  readonly #open: Partial<Record<Encoding, Piece>> = {};
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
    const known = asOwnString(address);
    const answer = new PreparedAnswer(headers, body, (size) => {
      const piece = this.#pieceFor(size, encoding);
      piece.addresses.push(known);
      piece.used += size;
      return Buffer.from(piece.memory, piece.used - size, size);
    });
    this.#answers[encoding].set(known, answer);
    return answer;
  }

  #pieceFor(size: number, encoding: Encoding): Piece {
    this.#size += BESIDES;
    const open = this.#open[encoding];
    if (open && open.used + size <= open.memory.byteLength) return open;
    const memory = new ArrayBuffer(Math.max(size, this.#piece));
    const piece: Piece = { encoding, memory, used: 0, addresses: [] };
    this.#pieces.push(piece);
    this.#open[encoding] = piece;
    this.#size += memory.byteLength;
    while (this.#size > this.#max && this.#pieces.length > 1) this.#forgetFirst();
    return piece;
  }

  #forgetFirst(): void {
    const piece = this.#pieces.shift();
    if (!piece) return;
    for (const address of piece.addresses) this.#answers[piece.encoding].delete(address);
    if (this.#open[piece.encoding] === piece) delete this.#open[piece.encoding];
    this.#size -= piece.memory.byteLength + piece.addresses.length * BESIDES;
  }
}

/** An address that was cut from a path stays a part of it for V8, which compares parts several times slower. */
function asOwnString(address: string): string {
  return Buffer.from(address).toString();
}
