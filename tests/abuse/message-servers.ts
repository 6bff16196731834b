/** A mail server and webhooks on loopback that fail as a test sets, and what was sent to them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import {
  type FakeSmtpServer,
  type ReceivedMail,
  startSmtpServer,
} from '../../supabase/functions/deliver/fake-smtp-server.ts';

/** What a server does with a message. `accept and drop` has it, and closes the connection before its response. */
export type Fate = 'accept' | 'reject' | 'defer' | 'hang' | 'drop' | 'accept and drop' | HookFate;

/** Of webhooks alone. `endless error` and `endless`: a status of 503 or 200 and a body without an end. */
type HookFate = 'redirect' | 'endless error' | 'endless';

/** One attempt that arrived as a whole. */
export interface Attempt {
  /** Email address, or path of the webhook. */
  readonly target: string;
  /** Message-ID, or webhook-id. */
  readonly id: string;
  /** Ids of the offers in it. */
  readonly offers: readonly string[];
  readonly accepted: boolean;
  /** Of mail. */
  readonly mail: ReceivedMail | undefined;
  /** Of a webhook: the body as it was sent. */
  readonly body: string | undefined;
}

export interface MessageServers extends AsyncDisposable {
  readonly attempts: Attempt[];
  readonly mailPort: number;
  /** Origin of the webhooks; every path is one. */
  readonly hookOrigin: string;
  /** Decides what becomes of each message, by email address or path. Can be replaced at any time. */
  fateOf: (target: string) => Fate | Promise<Fate>;
  /** The password that the mail server takes from clients that sign in. */
  password: string;
  /** Number of endless responses whose client still reads. */
  endlessResponses(): number;
}

/** Where the webhooks redirect to: a path that no request may reach. */
export const REDIRECTED = '/redirected';

export async function startMessageServers(): Promise<MessageServers> {
  const attempts: Attempt[] = [];
  let endless = 0;

  const onData = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> => {
    const target = session.envelope.rcptTo[0]?.address ?? '';
    const fate = await servers.fateOf(target);
    if (fate === 'drop') {
      stream.once('data', () => smtp.drop(session));
      // Only a response would end this mail.
      return new Promise(() => {});
    }
    const mail = await smtp.receive(stream, session);
    const offers = [...(mail.parsed.text ?? '').matchAll(/#offer=([\w-]+)/g)].map(([, id = '']) => id);
    const accepted = fate === 'accept' || fate === 'accept and drop';
    attempts.push({ target, id: mail.parsed.messageId ?? '', offers, accepted, mail, body: undefined });
    if (fate === 'accept and drop') smtp.drop(session);
    if (fate === 'reject') throw smtpError(550, `5.1.1 <${target}> has no mailbox`);
    if (fate === 'defer') throw smtpError(451, '4.3.0 Try again later');
    if (fate !== 'accept') return new Promise(() => {});
  };
  const smtp: FakeSmtpServer = await startSmtpServer({
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, callback) =>
      password === servers.password
        ? callback(null, { user: username })
        : callback(smtpError(535, `5.7.8 Wrong password for ${username}`)),
    onData: (stream, session, callback) => void onData(stream, session).then(() => callback(), callback),
  });

  const onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = request.url ?? '';
    const body = await text(request);
    const fate = await servers.fateOf(target);
    const accepted = ['accept', 'accept and drop', 'endless'].includes(fate);
    const offers = (JSON.parse(body) as { offers: { id: string }[] }).offers.map(({ id }) => id);
    const id = String(request.headers['webhook-id']);
    attempts.push({ target, id, offers, accepted, mail: undefined, body });
    switch (fate) {
      case 'accept':
        return void response.writeHead(204).end();
      case 'redirect':
        return void response.writeHead(302, { location: REDIRECTED }).end();
      case 'reject':
        return void response.writeHead(410).end('This webhook was removed.');
      case 'defer':
        return void response.writeHead(500).end('Out of order.');
      case 'drop':
      case 'accept and drop':
        return void request.socket.destroy();
      case 'endless':
      case 'endless error':
        // Of a client that went away before, no end would be seen.
        if (response.destroyed) return;
        response.writeHead(fate === 'endless' ? 200 : 503);
        endless += 1;
        response.once('close', () => {
          endless -= 1;
        });
        writeForever(response);
    }
  };
  const hooks = createServer((request, response) => {
    // A client that goes away while it sends.
    onRequest(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve));

  const servers: MessageServers = {
    attempts,
    mailPort: smtp.server.port,
    hookOrigin: `http://127.0.0.1:${(hooks.address() as AddressInfo).port}`,
    fateOf: () => 'accept',
    password: '',
    endlessResponses: () => endless,
    [Symbol.asyncDispose]: async () => {
      hooks.closeAllConnections();
      await new Promise((resolve) => hooks.close(resolve));
      await smtp[Symbol.asyncDispose]();
    },
  };
  return servers;
}

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

function writeForever(response: ServerResponse): void {
  while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
  if (!response.destroyed) response.once('drain', () => writeForever(response));
}
