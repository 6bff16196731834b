/**
 * How the owner's commands reach the project of a running product: by a Unix socket in the data folder, whose mode 0700 keeps
 * other users of the machine away from it.
 */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UserError } from '../../process/user-error.ts';

/** Name of the socket in the data folder. */
export const SOCKET = 'commands.sock';

/** In bytes. With a name of 14 the path has 100; Linux takes 107, macOS 103. */
const MAX_FOLDER_BYTES = 85;

const NULL_BODY = new Set([204, 205, 304]);

/** Reaches the project of the product that has the data folder open. Each request has a connection of its own. */
export function fetchBySocket(dataDir: string): typeof fetch {
  return async (input, init) => {
    const sent = new Request(input, init);
    const response = await withShortFolder(dataDir, (folder) => send(sent, join(folder, SOCKET)));
    const headers = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    const { statusCode: status = 0 } = response;
    const hasBody = sent.method !== 'HEAD' && !NULL_BODY.has(status);
    const body = hasBody ? (Readable.toWeb(response) as ReadableStream<Uint8Array>) : null;
    if (!hasBody) response.resume();
    return new Response(body, { status, headers });
  };
}

/** Whether a process listens on the data folder's socket; a killed one leaves the file alone. */
export async function isSocketOpen(dataDir: string): Promise<boolean> {
  return await withShortFolder(dataDir, async (folder) => {
    const opened = Promise.withResolvers<boolean>();
    const socket = connect(join(folder, SOCKET), () => opened.resolve(true));
    socket.on('error', () => opened.resolve(false));
    return await opened.promise.finally(() => socket.destroy());
  });
}

/**
 * Names the folder by a path that is short enough for a socket's: a long one by a link in a new folder (0700), for that time.
 * Each process makes its own link, so that services with a private /tmp reach the same socket.
 * @throws UserError where the link cannot be made
 */
export async function withShortFolder<Result>(
  dataDir: string,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  if (Buffer.byteLength(dataDir) <= MAX_FOLDER_BYTES) return await use(dataDir);
  const link = linkTo(dataDir);
  try {
    return await use(link);
  } finally {
    rmSync(dirname(link), { recursive: true });
  }
}

function linkTo(dataDir: string): string {
  try {
    // Not os.tmpdir(): TMPDIR may be long itself.
    const link = join(mkdtempSync('/tmp/storefront-'), 'data');
    symlinkSync(resolve(dataDir), link);
    return link;
  } catch (error) {
    throw new UserError(
      `The path of the data folder ${dataDir} has more than ${MAX_FOLDER_BYTES} bytes, and /tmp can hold no link to it ` +
        `(${(error as NodeJS.ErrnoException).code}). Make /tmp writable for this user, or move the data folder to a shorter path.`,
    );
  }
}

async function send(sent: Request, socketPath: string): Promise<IncomingMessage> {
  const { pathname, search, host } = new URL(sent.url);
  const response = Promise.withResolvers<IncomingMessage>();
  const message = request(
    {
      socketPath,
      // No connection is kept for another request: the product may end meanwhile.
      agent: false,
      method: sent.method,
      path: pathname + search,
      headers: { host, ...Object.fromEntries(sent.headers) },
      signal: sent.signal,
    },
    response.resolve,
  );
  message.on('error', (error) => response.reject(sent.signal.aborted ? sent.signal.reason : error));
  pipeline(sent.body ?? [], message).catch(response.reject);
  return await response.promise;
}
