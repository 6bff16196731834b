import { KEPT_OPEN } from './headers.ts';

/** In the words and the order of Node's own server, up to the date and after it. */
const FIRST = 'HTTP/1.1 200 OK\r\n';
const DATE = 'Date: ';
/** As HTTP writes it, in any year from 1000 to 9999. */
const DATE_LENGTH = 29;
const LAST = `\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${KEPT_OPEN / 1000}\r\n\r\n`;

/**
 * A whole answer in one piece of memory, as it goes out: its date is the only thing that changes, once a second, and in
 * its place. Two pieces would cost a tenth of all the work for a page.
 */
export class PreparedAnswer {
  #bytes: Buffer;
  readonly #dateAt: number;
  #headers: string[] | undefined;
  #second = 0;
  #onItsWay = false;

  /**
   * @param headers flat pairs, as `writeHead` takes them fastest, without those of the date and the connection
   * @param take memory of as many bytes, which nothing else uses
   */
  constructor(headers: string[], body: Buffer, take: (bytes: number) => Buffer = Buffer.allocUnsafeSlow) {
    let head = FIRST;
    for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
    head += DATE;
    this.#dateAt = head.length;
    head += dateOf(0) + LAST;
    this.#bytes = take(head.length + body.byteLength);
    this.#bytes.write(head, 'latin1');
    body.copy(this.#bytes, head.length);
  }

  /**
   * As they were given, for Node's own server: read from the bytes when it first asks. Kept from the beginning, they lay
   * between the few things that each page at random leads through.
   */
  get headers(): string[] {
    this.#headers ??= this.#bytes
      .toString('latin1', FIRST.length, this.#dateAt - DATE.length)
      .split('\r\n')
      // After the last line's end comes none.
      .slice(0, -1)
      .flatMap((line) => {
        const nameEnd = line.indexOf(': ');
        return [line.slice(0, nameEnd), line.slice(nameEnd + 2)];
      });
    return this.#headers;
  }

  get etag(): string {
    return this.headers[this.headers.indexOf('etag') + 1] ?? '';
  }

  get body(): Buffer {
    return this.#bytes.subarray(this.#dateAt + DATE_LENGTH + LAST.length);
  }

  /** The answer, dated now. */
  dated(): Buffer {
    const second = Math.trunc(Date.now() / 1000);
    if (second === this.#second) return this.#bytes;
    if (this.#onItsWay) {
      const copy = Buffer.allocUnsafeSlow(this.#bytes.byteLength);
      this.#bytes.copy(copy);
      this.#bytes = copy;
      this.#onItsWay = false;
    }
    this.#bytes.write(dateOf(second), this.#dateAt, 'latin1');
    this.#second = second;
    return this.#bytes;
  }

  /** The system has not taken all of it yet: what is still to be sent must stay as it is. */
  isOnItsWay(): void {
    this.#onItsWay = true;
  }
}

function dateOf(second: number): string {
  if (second !== dated.second) {
    dated.second = second;
    dated.date = new Date(second * 1000).toUTCString();
  }
  return dated.date;
}
const dated = { second: -1, date: '' };
