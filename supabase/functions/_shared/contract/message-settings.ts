/** The settings of messages (mail and webhooks), parsed for the server that starts the functions and for the functions. */
import { isLoopback, listOf, recipientsIn, senderNamed } from './setting-formats.ts';
import { findProblem, MESSAGE_SETTINGS, readerOf } from './settings.ts';

export type MessageSettings = Readonly<ReturnType<typeof parseAll>>;
export type MailSettings = NonNullable<MessageSettings['mail']>;
export type SmtpServer = MailSettings['server'];

/**
 * Reads and checks every setting of messages. Never throws.
 * @returns `problem` if one is wrong, and then no messages
 */
export function readMessageSettings(env: Record<string, string | undefined>): {
  readonly settings: MessageSettings;
  readonly problem: string | undefined;
} {
  const problem = findProblem(env, MESSAGE_SETTINGS);
  return { settings: parseAll(problem ? {} : env), problem };
}

/** The hosts with ports that messages are sent to, without duplicates: `smtp.example.com:465`, `[::1]:2525`. */
export function hostsOfMessages({ mail, webhooks }: MessageSettings): string[] {
  const smtp =
    mail &&
    `${mail.server.host.includes(':') ? `[${mail.server.host}]` : mail.server.host}:${mail.server.port}`;
  const hosts = webhooks.urls.map((url) => {
    const { hostname, port, protocol } = new URL(url);
    return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  });
  return [...new Set([...(smtp ? [smtp] : []), ...hosts])];
}

/** Warns of email addresses without an ending, such as `nora@nordwind`. Undefined where all have one. */
export function withoutEnding({ mail }: MessageSettings): string | undefined {
  const named = [
    ['MAIL_FROM', mail?.from.address],
    ...(mail?.to ?? []).map((one) => ['MAIL_TO', one]),
  ] as const;
  const [name, address] = named.find(([, one]) => one && !/@.*\./.test(one)) ?? [];
  return (
    address &&
    `${name} has ${address}, an address without an ending such as .com: mail with it stays inside your own network.`
  );
}

function parseAll(env: Record<string, string | undefined>) {
  const text = readerOf(env);
  const smtpUrl = text('SMTP_URL');
  const siteUrl = text('SITE_URL');
  return {
    /** Undefined without SMTP_URL: no mail is sent. */
    mail: smtpUrl === undefined ? undefined : parseMail(smtpUrl, text),
    webhooks: {
      urls: listOf(text('NOTIFY_URL')) as readonly string[],
      /** Requests are signed with it. */
      secret: text('NOTIFY_SECRET'),
    },
    /** The public origin that links to the dashboard begin with. */
    siteUrl: siteUrl && new URL(siteUrl).origin,
  };
}

function parseMail(smtpUrl: string, text: ReturnType<typeof readerOf>) {
  return {
    server: parseSmtpUrl(new URL(smtpUrl)),
    // SMTP_URL is not set without it.
    from: senderNamed(text('MAIL_FROM') ?? '') ?? { name: '', address: '' },
    /** Email addresses of the owner; may be empty where only confirmations are sent. */
    to: (recipientsIn(text('MAIL_TO') ?? '') ?? []) as readonly string[],
    /** Whether the customer gets a confirmation of the offer. */
    confirm: text('MAIL_CONFIRM') === 'yes',
  } as const;
}

function parseSmtpUrl({ protocol, hostname, port, username, password }: URL) {
  const secure = protocol === 'smtps:';
  return {
    /** A host name or an IP address, IPv6 without brackets. */
    host: hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (secure ? 465 : 587),
    /** TLS from the first byte (`smtps://`). */
    secure,
    /** STARTTLS must succeed before anything else is sent; false for loopback only. */
    requireTls: !secure && !isLoopback(hostname),
    auth: username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : undefined,
  } as const;
}
