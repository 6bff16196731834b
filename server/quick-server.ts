import { type RequestListener, Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { type PlainRequest, readPlainRequest } from './plain-request.ts';
import type { PreparedAnswer } from './prepared-answer.ts';

/** The answer to a plain request, where there is one in memory or on the disk. */
export type AnswerOf = (request: PlainRequest) => PreparedAnswer | undefined;

/**
 * Node's HTTP server, but plain requests for pages are answered straight from the connection: parsing, request and
 * response objects cost it more than everything else (docs/decisions/0011). The first request of another kind takes its
 * connection to Node's own server, with all that follows on it.
 */
export class QuickServer extends Server {
  readonly #answerOf: AnswerOf;
  /** Those that Node's own server has not taken. */
  readonly #connections = new Set<Socket>();

  constructor(options: ServerOptions, answerOf: AnswerOf, listener: RequestListener) {
    super(options, listener);
    this.#answerOf = answerOf;
    const toNode = this.listeners('connection');
    this.removeAllListeners('connection');
    this.on('connection', (socket: Socket) =>
      this.#answer(socket, () => {
        for (const take of toNode) take.call(this, socket);
      }),
    );
  }

  #answer(socket: Socket, toNode: () => void): void {
    const onData = (bytes: Buffer) => {
      // Whoever does not read what was asked for is not sent more at once.
      const answer = socket.writableLength === 0 ? this.#answerTo(bytes) : undefined;
      if (!answer) return handOver(bytes);
      socket.write(answer.dated());
      if (socket.writableLength > 0) answer.isOnItsWay();
    };
    const onEnd = () => socket.end();
    const onClose = () => this.#connections.delete(socket);
    // A moment longer than is said, as Node's own server waits, so that nobody asks a connection that just closes.
    const waiting = this.keepAliveTimeout + this.keepAliveTimeoutBuffer;
    const onTimeout = () => {
      // What is on its way gets as long as with Node's own server.
      if (socket.writableLength > 0 && socket.timeout === waiting) socket.setTimeout(this.timeout);
      else socket.destroy();
    };
    const onDrain = () => socket.setTimeout(waiting);
    const handOver = (bytes: Buffer) => {
      socket.off('data', onData).off('end', onEnd).off('close', onClose).off('timeout', onTimeout);
      socket.off('drain', onDrain).setTimeout(0).pause();
      onClose();
      // Not before the stream has done with these bytes: it would go on reading where Node has stopped it.
      process.nextTick(() => {
        toNode();
        socket.unshift(bytes);
        socket.resume();
      });
    };
    this.#connections.add(socket);
    socket.setTimeout(waiting);
    socket.on('data', onData).on('end', onEnd).on('close', onClose).on('timeout', onTimeout);
    socket.on('drain', onDrain).on('error', ignore);
  }

  #answerTo(bytes: Buffer): PreparedAnswer | undefined {
    const request = readPlainRequest(bytes);
    if (!request) return undefined;
    try {
      return this.#answerOf(request);
    } catch {
      // Asked again, it fails where it is said and answered.
      return undefined;
    }
  }

  override closeIdleConnections(): void {
    super.closeIdleConnections();
    for (const socket of this.#connections) {
      // Whose first request is on its way is not idle, says Node's own server as well.
      if (socket.bytesWritten > 0 && socket.writableLength === 0) socket.destroy();
    }
  }

  override closeAllConnections(): void {
    super.closeAllConnections();
    for (const socket of this.#connections) socket.destroy();
  }
}

/** The visitor has gone. */
function ignore(): void {}
