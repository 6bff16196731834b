/** A real SMTP server on loopback for tests, with the mails it got as a MIME parser reads them. */
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ParsedMail, simpleParser } from 'mailparser';
import {
  SMTPServer,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server';
import type { SmtpServer } from '../_shared/contract/message-settings.ts';
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
