/** Sends deliveries by SMTP. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createTransport, type SendMailOptions, type SMTPPoolOptions } from 'nodemailer';
import type { MailSettings, SmtpServer } from '../_shared/contract/message-settings.ts';
import { composeMail, type MailContext } from './compose-mail.ts';
import { type Delivery, hostOf, isToVisitor, type Outcome, type ServerFailure } from './delivery.ts';
import { failed, lastLine } from './failure.ts';
import {
  codesOf,
  isServerProblem,
  judgeReply,
  SERVER_PROBLEMS,
  type ServerProblem,
  type Stage,
} from './smtp-replies.ts';

/** For the whole attempt once the mail is composed, however much of it the server has already responded to. */
const TIMEOUT_MS = 15_000;

/** Connections to the mail server at one time; providers limit them. */
export const MAX_CONNECTIONS = 4;

/** Mails over one connection; providers limit them too. */
const MAX_MAILS = 50;

/** By the commands of nodemailer's errors; AUTH is followed by the mechanism. */
const STAGES = new Map<string | undefined, Stage>([
  ...['EHLO', 'HELO', 'STARTTLS', 'RSET'].map((command) => [command, 'connection'] as const),
  ['AUTH', 'login'],
  ['MAIL', 'sender'],
  ['RCPT', 'recipient'],
  ['DATA', 'text'],
]);

/** Errors of nodemailer's own about a mail that no server would take. */
const MAIL_ERRORS = ['EENVELOPE', 'EMESSAGE'];

/** A connection stays open for the next mails of a run, and for a run right after it. */
const IDLE_MS = 1_000;

/** Makes one attempt. Never throws. */
export type SendMail = (delivery: Delivery, context: Omit<MailContext, 'mail'>) => Promise<Outcome>;

/**
 * Creates the sender for one server. Its connections are shared by mails that are sent at about the same time: a
 * connection costs more than a mail. A connection that the server has closed between two mails is replaced by a new one.
 */
export function createSendMail(mail: MailSettings, timeoutMs = TIMEOUT_MS): SendMail {
  const { server, from } = mail;
  /** The newest connection; undefined while it is being made, and where that failed. */
  let connected: Socket | undefined;
  const onConnect = (connection: Socket | undefined) => {
    connected = connection;
  };
  const transport = createTransport(optionsOf(server, hostOf(from.address), timeoutMs, onConnect));
  return async (delivery, context) => {
    let message: SendMailOptions;
    try {
      message = composeMail(delivery, { ...context, mail });
    } catch (error) {
      return failed(`The mail could not be composed: ${error instanceof Error ? error.message : error}`);
    }
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const { response } = await transport.sendMail({ ...message, signal });
      return { status: 'sent', response: lastLine(response) };
    } catch (error) {
      return outcomeOf(error, {
        timedOut: signal.aborted,
        isConnected: connected !== undefined,
        isSilent: connected?.bytesRead === 0,
        isVisitors: isToVisitor(delivery),
        timeoutMs,
        server,
      });
    }
  };
}

function optionsOf(
  server: SmtpServer,
  clientName: string,
  timeoutMs: number,
  onConnect: (connection: Socket | undefined) => void,
): SMTPPoolOptions {
  const { host, port, secure, requireTls, auth } = server;
  return {
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    maxMessages: MAX_MAILS,
    idleTimeout: IDLE_MS,
    // Only where nothing of the mail was sent: over a connection that was open before, or before the server's greeting.
    maxRequeues: 1,
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
      onConnect(undefined);
      once(connection, 'connect', { signal: AbortSignal.timeout(timeoutMs) }).then(
        () => {
          onConnect(connection);
          callback(null, { connection });
        },
        (error) => {
          connection.destroy();
          callback(error);
        },
      );
    },
    // Otherwise EHLO sends [127.0.0.1], since the functions have no right to read the machine's name.
    name: clientName,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  };
}

const NO_ANSWER = ['does not answer', 'check that it runs, and SMTP_URL'] as const;
const UNKNOWN_NAME = ['has a name that DNS does not know', 'check it in SMTP_URL'] as const;

/** By the codes of a connection that was never made: what the server does, and what to do. */
const UNANSWERED: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  ECONNREFUSED: NO_ANSWER,
  EHOSTUNREACH: NO_ANSWER,
  ENETUNREACH: NO_ANSWER,
  ENOTFOUND: UNKNOWN_NAME,
  EAI_AGAIN: UNKNOWN_NAME,
};

interface Attempt {
  readonly timedOut: boolean;
  readonly isConnected: boolean;
  /** The server accepted the connection, and has sent nothing. */
  readonly isSilent: boolean;
  /** Whether a visitor entered the recipient's address. */
  readonly isVisitors: boolean;
  readonly timeoutMs: number;
  readonly server: SmtpServer;
}

function outcomeOf(error: unknown, attempt: Attempt): Outcome {
  const { responseCode = 0, response, code, command = '', message = '' } = error as NodemailerFailure;
  const { server, timedOut, isSilent, timeoutMs } = attempt;
  const responded = responseCode > 0;
  const secrets = server.auth ? [server.auth.pass] : [];
  // A server that has no EHLO has no STARTTLS either.
  if ((command === 'STARTTLS' && responded) || message.includes('required STARTTLS')) {
    const text = withoutStartTls(server.port, lastLine(response ?? message));
    return failed(text, { failure: failureOf('tls', 'STARTTLS', true, server), secrets });
  }
  const stage = message.startsWith('Invalid greeting') ? 'connection' : STAGES.get(command.split(' ')[0]);
  if (response && responded && stage) return rejected(lastLine(response), responseCode, stage, attempt);
  if (MAIL_ERRORS.includes(code ?? '')) return failed(lastLine(message), { permanent: true, secrets });

  const isLate = timedOut || code === 'ETIMEDOUT' || code === 'ABORT_ERR';
  const unanswered = code && UNANSWERED[code];
  if (unanswered) {
    const [does, remedy] = unanswered;
    const text = `The mail server ${server.host}:${server.port} ${does} (${code}): ${remedy}.`;
    return failed(text, { failure: connectionFailure(code, text, attempt) });
  }
  const what = isLate ? `No response within ${timeoutMs / 1000} seconds.` : lastLine(message) || (code ?? '');
  return failed(withTlsAdvice(what, isSilent, server), {
    failure: connectionFailure(code, what, attempt),
    secrets,
  });
}

/** @param line the last one of the reply */
function rejected(
  line: string,
  responseCode: number,
  stage: Stage,
  { isVisitors, server }: Attempt,
): Outcome {
  const reply = codesOf(line) ?? String(responseCode);
  const verdict = judgeReply(stage, reply, isVisitors);
  const isNamed = stage === 'recipient' || stage === 'text';
  const failure = isServerProblem(verdict)
    ? failureOf(verdict, `${stage} ${reply}`, responseCode >= 500, server, !isNamed)
    : undefined;
  return failed(line, {
    permanent: verdict === 'recipient' || verdict === 'text',
    // 421 closes the connection, after any command; a reply about the server is no fault of the address.
    addressRejected: isNamed && responseCode !== 421 && !isServerProblem(judgeReply(stage, reply, false)),
    failure,
    secrets: server.auth ? [server.auth.pass] : [],
  });
}

/** Without a reply to a command. A connection that ends after the greeting may end because of this mail. */
function connectionFailure(
  code: string | undefined,
  what: string,
  { isConnected, isSilent, isVisitors, server }: Attempt,
): ServerFailure | undefined {
  if (code === 'EAUTH') return failureOf('login', 'login', true, server);
  if (code === 'ETLS' || /certificate/i.test(what) || NO_TLS.test(what))
    return failureOf('tls', 'TLS', true, server);
  if (!isConnected || isSilent) return failureOf('unreachable', 'none', false, server);
  return isVisitors ? undefined : failureOf('silent', 'none', false, server, false);
}

function failureOf(
  problem: ServerProblem,
  reply: string,
  lasting: boolean,
  { host }: SmtpServer,
  certain = true,
): ServerFailure {
  return { problem: `The mail server ${host} ${SERVER_PROBLEMS[problem]}`, reply, lasting, certain };
}

function withoutStartTls(port: number, response: string): string {
  return (
    `Port ${port} rejects STARTTLS, which smtp:// needs to other hosts. If the server has TLS from the start (usually at port ` +
    `465), write smtps://; else relay through a mail server on this machine, smtp://localhost. It responded: ${response}`
  );
}

/** Of Node and of Deno, for a server that responds to the start of TLS in plain text. */
const NO_TLS = /wrong version number|InvalidContentType/;

/** @param what the error before TLS and greeting, in one line */
function withTlsAdvice(what: string, isSilent: boolean, { port, secure }: SmtpServer): string {
  if (secure && NO_TLS.test(what)) {
    return (
      `Port ${port} has no TLS from the start, which smtps:// needs: write smtp:// instead, which uses STARTTLS, or the port ` +
      'for TLS (usually 465).'
    );
  }
  // An alert of TLS is no greeting either.
  if (!secure && (isSilent || what.startsWith('Invalid greeting'))) {
    return (
      `${isSilent ? `${what.replace(/\.?$/, '.')} ` : ''}Port ${port} sends no greeting: if it has TLS from the start, write smtps:// instead of ` +
      'smtp://, or the port for STARTTLS (usually 587).'
    );
  }
  if (/certificate/i.test(what)) {
    return (
      `TLS failed at port ${port} (${secure ? 'smtps' : 'smtp'}://): ${what}. SMTP_URL has to name the host as its certificate ` +
      'does, and a known authority has to have signed that.'
    );
  }
  return what;
}

/** The fields of nodemailer's errors. */
interface NodemailerFailure {
  readonly responseCode?: number;
  readonly response?: string;
  readonly code?: string;
  /** What was sent before the response. */
  readonly command?: string;
  readonly message?: string;
}
