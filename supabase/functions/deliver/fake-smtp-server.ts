/** A real SMTP server on loopback for tests, with the mails it got as a MIME parser reads them. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ParsedMail, simpleParser } from 'mailparser';
import {
  SMTPServer,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server';
import type { SmtpServer } from '../_shared/contract/message-settings.ts';
import type { Stage } from './smtp-replies.ts';
import { TLS_CERT, TLS_KEY } from './tls.fixture.ts';

export interface ReceivedMail {
  readonly raw: string;
  readonly parsed: ParsedMail;
  readonly from: string;
  readonly to: readonly string[];
  /** Whether it came over TLS. */
  readonly secure: boolean;
  readonly user: string | undefined;
}

export interface FakeSmtpServer extends AsyncDisposable {
  /** As SMTP_URL would give it. */
  readonly server: SmtpServer;
  readonly mails: ReceivedMail[];
  /** Reads a mail and adds it to `mails`: for an `onData` of the test's own. */
  receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<ReceivedMail>;
  /** Closes a client's connection without a response. */
  drop(session: SMTPServerSession): void;
}

/** Its certificate is signed by TLS_AUTHORITY. Without `options.authOptional: false` a client need not sign in. */
export async function startSmtpServer(
  options: SMTPServerOptions = {},
  host = '127.0.0.1',
): Promise<FakeSmtpServer> {
  const mails: ReceivedMail[] = [];
  const smtp = new SMTPServer({
    key: TLS_KEY,
    cert: TLS_CERT,
    authOptional: true,
    closeTimeout: 0,
    onData: (stream, session, callback) => {
      receive(stream, session).then(() => callback(), callback);
    },
    ...options,
  });
  const receive = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<ReceivedMail> => {
    const { envelope, secure, user } = session;
    const raw = await text(stream);
    const mail = {
      raw,
      parsed: await simpleParser(raw),
      from: envelope.mailFrom ? envelope.mailFrom.address : '',
      to: envelope.rcptTo.map(({ address }) => address),
      secure,
      user: typeof user === 'string' ? user : undefined,
    };
    mails.push(mail);
    return mail;
  };
  const drop = ({ id }: SMTPServerSession): void => {
    for (const connection of smtp.connections) {
      if (connection.id === id) connection._socket.destroy();
    }
  };
  // Errors of connections that a test breaks on purpose.
  smtp.on('error', () => {});
  await new Promise<void>((resolve) => smtp.listen(0, host, resolve));
  const { port } = smtp.server.address() as AddressInfo;
  const secure = options.secure ?? false;
  return {
    server: { host, port, secure, requireTls: false, auth: undefined },
    mails,
    receive,
    drop,
    [Symbol.asyncDispose]: () => new Promise((resolve) => smtp.close(resolve)),
  };
}

/** What a server that accepts everything replies to a line of the client, by the line's beginning. */
const FINE: readonly (readonly [RegExp, Stage, string])[] = [
  [/^EHLO /, 'connection', '250-fake\r\n250-SIZE 10000000\r\n250 AUTH PLAIN'],
  [/^HELO /, 'connection', '250 fake'],
  [/^AUTH /, 'login', '235 2.7.0 fine'],
  [/^MAIL /, 'sender', '250 2.1.0 fine'],
  [/^RCPT /, 'recipient', '250 2.1.5 fine'],
  [/^DATA$/, 'text', '354 go on'],
  [/^\.$/, 'text', '250 2.0.0 fine'],
];

/**
 * Starts a server that replies to one stage as told, and accepts the rest: at `text` to the end of the mail, not to DATA. Several
 * lines are separated by CR and LF. Without a reply it closes the connection there.
 */
export async function startScriptedSmtpServer(
  stage: Stage,
  reply: string | undefined,
): Promise<Pick<FakeSmtpServer, 'server'> & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const smtp = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    const respond = (text: string | undefined) =>
      text === undefined ? socket.destroy() : socket.write(`${text}\r\n`);
    respond(stage === 'connection' ? reply : '220 fake ESMTP');
    let buffered = '';
    let isData = false;
    socket.on('data', (data) => {
      const lines = (buffered + data).split('\r\n');
      buffered = lines.pop() ?? '';
      for (const line of lines) {
        if (isData && line !== '.') continue;
        const [, at, fine] = FINE.find(([pattern]) => pattern.test(line)) ?? [];
        respond(at === stage && line !== 'DATA' ? reply : (fine ?? '250 fine'));
        isData = line === 'DATA';
      }
    });
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const { port } = smtp.address() as AddressInfo;
  return {
    server: { host: '127.0.0.1', port, secure: false, requireTls: false, auth: undefined },
    [Symbol.asyncDispose]: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => smtp.close(() => resolve()));
    },
  };
}
