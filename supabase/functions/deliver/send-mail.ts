/** Sends a delivery by SMTP. */
import { connect } from 'node:net';
import { createTransport, type SMTPTransportOptions } from 'nodemailer';
import type { SmtpServer } from '../_shared/contract/message-settings.ts';
import { composeMail, type MailContext } from './compose-mail.ts';
import { type Delivery, hostOf, type Outcome } from './delivery.ts';
import { failed, lastLine } from './failure.ts';

/** For the whole attempt, however much of it the server has already responded to. */
const TIMEOUT_MS = 15_000;

/** Makes one attempt over a connection of its own. Never throws. */
export async function sendMail(
  delivery: Delivery,
  context: MailContext,
  timeoutMs = TIMEOUT_MS,
): Promise<Outcome> {
  const { server } = context.mail;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const clientName = hostOf(context.mail.from.address);
    const { response } = await transportTo(server, clientName, timeoutMs).sendMail({
      ...composeMail(delivery, context),
      signal,
    });
    return { status: 'sent', response: lastLine(response) };
  } catch (error) {
    return outcomeOf(error, signal.aborted, timeoutMs, server);
  }
}

function transportTo(server: SmtpServer, clientName: string, timeoutMs: number) {
  const { host, port, secure, requireTls, auth } = server;
  const options: SMTPTransportOptions = {
    host,
    port,
    secure,
    requireTLS: requireTls,
    // A mail server of this machine usually offers STARTTLS with a certificate of its own, that no authority signed.
    tls: { rejectUnauthorized: secure || requireTls },
    ...(auth && { auth }),
    // The rights of the functions' process name this host and no IP address: so the runtime has to resolve it, and not
    // nodemailer, which would connect to the address.
    getSocket: (_, callback) => {
      const connection = connect({ host, port });
      const timer = setTimeout(() => connection.destroy(new Error('No connection.')), timeoutMs);
      const onConnect = () => {
        clearTimeout(timer);
        connection.off('error', onError);
        callback(null, { connection });
      };
      const onError = (error: Error) => {
        clearTimeout(timer);
        connection.off('connect', onConnect);
        callback(error);
      };
      connection.once('connect', onConnect).once('error', onError);
    },
    // Otherwise it says [127.0.0.1] in EHLO, since the functions have no right to read the machine's name.
    name: clientName,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  };
  return createTransport(options);
}

function outcomeOf(error: unknown, timedOut: boolean, timeoutMs: number, server: SmtpServer): Outcome {
  const { responseCode = 0, response, code, message = '' } = error as NodemailerFailure;
  const responded = responseCode > 0;
  // A server that rejects STARTTLS says nothing about the message.
  const permanent = responseCode >= 500 && responseCode < 600 && code !== 'ETLS';
  const secrets = server.auth ? [server.auth.pass] : [];
  if (response && responded) return failed(lastLine(response), { permanent, responded, secrets });
  if (timedOut || code === 'ETIMEDOUT') return failed(`No response within ${timeoutMs / 1000} seconds.`);
  return failed(lastLine(message) || (code ?? ''), { secrets });
}

/** The fields of nodemailer's errors. */
interface NodemailerFailure {
  readonly responseCode?: number;
  readonly response?: string;
  readonly code?: string;
  readonly message?: string;
}
