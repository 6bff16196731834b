/**
 * The owner's settings of messages (mail and webhooks), read in one place for the server that starts the functions and
 * for the functions themselves. They are described in .env.example.
 */
import { EMAIL_PATTERN } from './email-pattern.ts';

/** Their names in the environment. */
export const MESSAGE_SETTINGS = [
  'SMTP_URL',
  'MAIL_FROM',
  'MAIL_TO',
  'MAIL_CONFIRM',
  'NOTIFY_URL',
  'NOTIFY_SECRET',
  'SITE_URL',
] as const;

export interface MessageSettings {
  /** Undefined without SMTP_URL: no mail is sent. */
  readonly mail: MailSettings | undefined;
  readonly webhooks: WebhookSettings;
  /** SITE_URL without a slash at its end: the public origin that links to the dashboard begin with. */
  readonly siteUrl: string | undefined;
}

export interface MailSettings {
  readonly server: SmtpServer;
  /** MAIL_FROM. */
  readonly from: { readonly name: string; readonly address: string };
  /** MAIL_TO: email addresses of the owner; may be empty where only confirmations are sent. */
  readonly to: readonly string[];
  /** MAIL_CONFIRM=yes: the customer gets a confirmation of the offer. */
  readonly confirm: boolean;
}

/** SMTP_URL. */
export interface SmtpServer {
  /** A host name or an IP address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (`smtps://`). */
  readonly secure: boolean;
  /** STARTTLS must succeed before anything else is sent; false for loopback only. */
  readonly requireTls: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
}

interface WebhookSettings {
  /** NOTIFY_URL. */
  readonly urls: readonly string[];
  /** NOTIFY_SECRET: requests are signed with it. */
  readonly secret: string | undefined;
}

/** No message is sent. */
export const NO_MESSAGES: MessageSettings = {
  mail: undefined,
  webhooks: { urls: [], secret: undefined },
  siteUrl: undefined,
};

export type ReadMessageSettings =
  | { status: 'read'; settings: MessageSettings }
  /** `problem` names the setting and how to correct it; it repeats no value, since values hold passwords and tokens. */
  | { status: 'wrong'; problem: string };

/** Reads and checks every setting of messages. Never throws. */
export function readMessageSettings(env: Record<string, string | undefined>): ReadMessageSettings {
  const text = (name: string) => env[name]?.trim() || undefined;
  try {
    return {
      status: 'read',
      settings: {
        mail: readMail(text),
        webhooks: readWebhooks(text),
        siteUrl: readSiteUrl(text('SITE_URL')),
      },
    };
  } catch (error) {
    if (error instanceof WrongSetting) return { status: 'wrong', problem: error.message };
    throw error;
  }
}

/**
 * The hosts with ports that messages are sent to, without duplicates: `smtp.example.com:465`, `[::1]:2525`.
 */
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

type Text = (name: string) => string | undefined;

class WrongSetting extends Error {
  override name = 'WrongSetting';
}

function readMail(text: Text): MailSettings | undefined {
  const url = text('SMTP_URL');
  const from = text('MAIL_FROM');
  const to = listOf(text('MAIL_TO'));
  const confirm = readYes('MAIL_CONFIRM', text('MAIL_CONFIRM'));
  if (url === undefined) {
    const alone = from ? 'MAIL_FROM' : to.length > 0 ? 'MAIL_TO' : confirm ? 'MAIL_CONFIRM' : undefined;
    if (alone) throw new WrongSetting(`${alone} is set without SMTP_URL. Set both, or neither.`);
    return undefined;
  }
  if (from === undefined) throw new WrongSetting('SMTP_URL is set without MAIL_FROM. Set both, or neither.');
  if (to.length === 0 && !confirm) {
    throw new WrongSetting('SMTP_URL is set without MAIL_TO. Set MAIL_TO to your own email address.');
  }
  if (!to.every(isEmail)) {
    throw new WrongSetting('MAIL_TO must be email addresses with commas between them, like ada@example.com.');
  }
  return { server: readSmtpUrl(url), from: readFrom(from), to, confirm };
}

function readSmtpUrl(value: string): SmtpServer {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const secure = url?.protocol === 'smtps:';
  if (!url?.hostname || !/^smtps?:$/.test(url.protocol) || url.port === '0') {
    throw new WrongSetting(
      'SMTP_URL must be like smtps://user:password@host:465 or smtp://user:password@host:587. Write the characters ' +
        '@ : / ? # % of a password as %40 %3A %2F %3F %23 %25.',
    );
  }
  if (!['', '/'].includes(url.pathname) || url.search || url.hash) {
    throw new WrongSetting(
      'SMTP_URL must end after the port. Write the characters / ? # of a password as %2F %3F %23.',
    );
  }
  if (!url.username !== !url.password) {
    throw new WrongSetting('SMTP_URL must have both a user and a password, or neither.');
  }
  const host = url.hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTls: !secure && !isLoopback(url.hostname),
    auth: url.username ? { user: decoded(url.username), pass: decoded(url.password) } : undefined,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new WrongSetting('SMTP_URL has a % that encodes nothing. Write it as %25.');
  }
}

/** `ada@example.com` or `Ada <ada@example.com>`. */
function readFrom(value: string): MailSettings['from'] {
  const [, name = '', address = value] = /^"?([^"<>]*?)"?\s*<([^<>]*)>$/.exec(value) ?? [];
  if (!isEmail(address) || /\p{Cc}/u.test(name)) {
    throw new WrongSetting('MAIL_FROM must be like offers@example.com or Ada Lovelace <offers@example.com>.');
  }
  return { name, address };
}

function readWebhooks(text: Text): WebhookSettings {
  const urls = listOf(text('NOTIFY_URL'));
  const secret = text('NOTIFY_SECRET');
  for (const value of urls) {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))) {
      throw new WrongSetting(
        'NOTIFY_URL must be URLs that begin with https://, with commas between them. Write a comma in a URL as %2C.',
      );
    }
    if (url.username || url.password) {
      throw new WrongSetting('NOTIFY_URL must have no user and password before the host.');
    }
  }
  if (secret && urls.length === 0) {
    throw new WrongSetting('NOTIFY_SECRET is set without NOTIFY_URL. Set both, or neither.');
  }
  return { urls, secret };
}

function readSiteUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || value.replace(/\/$/, '').toLowerCase() !== url.origin) {
    throw new WrongSetting('SITE_URL must be the site’s URL without a path, like https://example.com.');
  }
  return url.origin;
}

function readYes(name: string, value = 'no'): boolean {
  if (value !== 'yes' && value !== 'no') throw new WrongSetting(`${name} must be yes or no.`);
  return value === 'yes';
}

/** A list with commas, without duplicates and empty entries. */
function listOf(value = ''): string[] {
  const entries = value.split(',').map((entry) => entry.trim());
  return [...new Set(entries.filter((entry) => entry !== ''))];
}

/** Whether a text is an email as the sign-in form and `admin-auth` accept it: at most 254 characters. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && EMAIL_PATTERN.test(text);
}

/** @param hostname as in a URL, IPv6 with brackets */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
