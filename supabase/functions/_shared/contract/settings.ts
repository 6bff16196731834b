/**
 * Every setting of the owner: the one definition for server, commands, functions, .env.example and the guides. Plain data
 * without zod, whose hundred modules would delay the first page of a start by a third.
 */
import {
  isEmail,
  isIp,
  isIpOrNetwork,
  isLoopback,
  isOrigin,
  isPublishableKey,
  isSafeUrl,
  isSecretKey,
  isSigningSecret,
  isSmtpUrl,
  listOf,
  recipientsIn,
  senderNamed,
} from './setting-formats.ts';

type Env = Readonly<Record<string, string | undefined>>;
type Text = (name: string) => string | undefined;

export interface Setting {
  /** What it does, for .env.example. */
  readonly about: string;
  /** Its value when absent. */
  readonly default?: string;
  /** What holds when it is absent, where `default` does not tell. */
  readonly absent?: string;
  /** Least and greatest value of a whole number. */
  readonly range?: readonly [min: number, max: number];
  /** The end of the error message, after "must be", unless `isRight`. */
  readonly mustBe?: string;
  readonly isRight?: (value: string, text: Text) => boolean;
  /** Settings without which it must not be set. */
  readonly needs?: (text: Text) => readonly string[];
  /** Errors do not repeat it, and .env should be readable by its owner alone. */
  readonly isSecret?: true;
  /** Who gets it: the functions, as a secret of a hosted project, or every visitor. Errors repeat no such value either. */
  readonly goesTo?: 'functions' | 'pages';
}

/** GoTrue hashes no more of a password, in bytes. How strong it must be is decided where it is set (administrator.ts). */
const MAX_PASSWORD_BYTES = 72;

/** Cloudflare's secret keys have 35 characters, its site keys 24. */
const TURNSTILE_SECRET = /^[0-3]x[\w-]{33}$/;

/** Mail and webhooks. Without them no messages are sent. */
const MESSAGES = {
  SMTP_URL: {
    about:
      'The mail server for messages about offers: smtps://user:password@smtp.example.com:465 has TLS from the start, smtp://…:587 must offer STARTTLS. ' +
      'In user and password write the characters @ : / ? # % as %40 %3A %2F %3F %23 %25. ' +
      'docs/owners-guide.md, Messages, has the values of common providers.',
    absent: 'no mail',
    mustBe:
      'like smtps://user:password@host:465 or smtp://user:password@host:587, and end there. Write the characters ' +
      '@ : / ? # % of user and password as %40 %3A %2F %3F %23 %25',
    isRight: isSmtpUrl,
    needs: (text) => (text('MAIL_CONFIRM') === 'yes' ? ['MAIL_FROM'] : ['MAIL_FROM', 'MAIL_TO']),
    isSecret: true,
    goesTo: 'functions',
  },
  MAIL_FROM: {
    about: 'The sender of mail, like Offers <offers@example.com>.',
    mustBe: 'like offers@example.com or Ada Lovelace <offers@example.com>',
    isRight: (value) => senderNamed(value) !== undefined,
    needs: () => ['SMTP_URL'],
    goesTo: 'functions',
  },
  MAIL_TO: {
    about:
      'Your own email addresses, with commas between them, like ada@example.com or Ada <ada@example.com>.',
    mustBe:
      'email addresses with commas between them, like ada@example.com or Ada Lovelace <ada@example.com>',
    isRight: (value) => !!recipientsIn(value)?.length,
    needs: () => ['SMTP_URL'],
    goesTo: 'functions',
  },
  MAIL_CONFIRM: {
    about:
      'yes: customers get a confirmation of their offer with a link to it, at most one a day to an address.',
    default: 'no',
    mustBe: 'yes or no',
    isRight: (value) => value === 'yes',
    needs: () => ['SMTP_URL'],
    goesTo: 'functions',
  },
  NOTIFY_URL: {
    about: 'Webhooks for messages about offers (Slack, Discord, ntfy, your own), with commas between them.',
    absent: 'no webhook',
    mustBe:
      'URLs that begin with https://, without user and password, with commas between them. Write a comma in a URL as %2C. ' +
      'For http:// inside your own network run a proxy on this machine and write http://localhost:PORT/…; instead of user and ' +
      'password write what the service takes in the URL, such as ?auth=… of ntfy. docs/owners-guide.md, Messages, has both',
    isRight: (value) => listOf(value).every(isSafeUrl),
    isSecret: true,
    goesTo: 'functions',
  },
  NOTIFY_SECRET: {
    about: 'Requests to webhooks are signed with it (Standard Webhooks): whsec_ and base64, or any text.',
    mustBe: 'base64 after whsec_, such as openssl rand -base64 32 prints, or begin with something else',
    isRight: isSigningSecret,
    needs: () => ['NOTIFY_URL'],
    isSecret: true,
    goesTo: 'functions',
  },
  SITE_URL: {
    about: 'Where links in messages lead, like https://admin.example.com.',
    absent: 'https on ADMIN_HOST or the first of the catalogue’s hosts, else this machine',
    mustBe: 'the site’s URL without a path, like https://example.com',
    isRight: (value) => isOrigin(value.replace(/\/$/, '')),
    goesTo: 'functions',
  },
} as const satisfies Record<string, Setting>;

export const SETTINGS = {
  PORT: { about: 'Port the server listens on. 0 takes any free one.', default: '4321', range: [0, 65_535] },
  HOST: {
    about:
      'Address the server listens on. 0.0.0.0 lets other machines in. npm run dev listens on this machine alone.',
    default: '127.0.0.1',
    mustBe: 'an address of this machine, such as 127.0.0.1 or 0.0.0.0',
    isRight: (value) => value === 'localhost' || isIp(value),
  },
  DATA_DIR: {
    about: 'Folder of the embedded database. One process at a time uses it.',
    default: '.data',
    mustBe: 'written out: nothing replaces the ~ here',
    isRight: (value) => !value.startsWith('~'),
  },
  ADMIN_EMAIL: {
    about:
      'Email of the first administrator. A start makes this account one, and removes no other. The default ' +
      'counts as none named: then it is made only where there is no administrator yet.',
    default: 'admin@example.com',
    mustBe: 'an email address like name@example.com',
    isRight: isEmail,
  },
  ADMIN_PASSWORD: {
    about:
      'Password of that administrator, 12 characters or more and no common one. It counts from the next start on, so a lost one ' +
      'is replaced. A generated one is printed to a terminal, otherwise written to a file in DATA_DIR.',
    absent: 'the present one, at first a generated one',
    mustBe: `at most ${MAX_PASSWORD_BYTES} bytes long. Leave it out to have one generated`,
    isRight: (value) => new TextEncoder().encode(value).length <= MAX_PASSWORD_BYTES,
    isSecret: true,
  },
  ADMIN_HOST: {
    about:
      'Host name that alone has /admin, without port, and that is not for sale. It is ' +
      'no access control: who can reach the server can send it as Host.',
    absent:
      'the first of the catalogue’s hosts, and localhost, 127.0.0.1 and [::1] for programs on this machine alone, not through ' +
      'a proxy',
    mustBe: 'a host name without port, like admin.example.com',
    isRight: (value) => /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(value),
    goesTo: 'functions',
  },
  SESSION_HOURS: {
    about: 'How long a session lasts after sign-in, in hours.',
    default: '12',
    range: [1, 720],
    goesTo: 'functions',
  },
  SESSION_IDLE_MINUTES: {
    about: 'How long a session lasts without being used, in minutes.',
    default: '120',
    range: [5, 10_080],
    goesTo: 'functions',
  },
  STOREFRONT_IMAGE: {
    about: 'The image that compose.yaml starts, of a release, like ghcr.io/OWNER/NAME:0.2.0.',
    absent: 'compose.yaml builds one',
  },
  OWN_DIR: {
    about:
      'The folder of what is yours, which Git ignores: your branding, and the catalogue catalogue.yaml, which ' +
      'npm run catalogue -- init makes.',
    default: 'own',
  },
  CATALOGUE: {
    about: 'Another catalogue file, in YAML or JSON.',
    absent: 'catalogue.yaml in OWN_DIR, else the sample src/content/catalogue.yaml',
  },
  TURNSTILE_SITE_KEY: {
    about: 'Cloudflare Turnstile as the invisible bot check: set both keys.',
    absent: 'a proof of work, with no third party',
    mustBe:
      'the site key of a widget as Cloudflare shows it, with 24 characters. It is sent to every visitor, so the secret key, ' +
      'which is longer, must not be there',
    isRight: (value, text) =>
      /^[\w.-]{3,100}$/.test(value) &&
      !TURNSTILE_SECRET.test(value) &&
      value !== text('TURNSTILE_SECRET_KEY'),
    // A hosted project may have the secret from its own dashboard.
    needs: (text) => (text('SUPABASE_URL') ? [] : ['TURNSTILE_SECRET_KEY']),
    goesTo: 'pages',
  },
  TURNSTILE_SECRET_KEY: {
    about: 'The secret key of the same widget.',
    needs: () => ['TURNSTILE_SITE_KEY'],
    isSecret: true,
    goesTo: 'functions',
  },
  TURNSTILE_VERIFY_URL: {
    about: 'Address of siteverify; changed for tests only.',
    default: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    mustBe: 'an address that begins with https://',
    isRight: isSafeUrl,
    goesTo: 'functions',
  },
  TRUSTED_PROXIES: {
    about:
      'How many proxies of your own stand in front (nginx, Caddy: 1). That many entries of X-Forwarded-For count, from the ' +
      'right. With a proxy and without this setting, all visitors count as one.',
    default: '0',
    range: [0, 10],
  },
  TRUSTED_PROXY_ADDRESSES: {
    about: 'Addresses or networks of those proxies, such as 203.0.113.7, 2001:db8::/32.',
    absent: 'loopback and private networks',
    mustBe: 'a list like 203.0.113.7, 2001:db8::/32',
    isRight: (value) => value.split(',').every((one) => isIpOrNetwork(one.trim())),
  },
  COUNT_VISITS: {
    about:
      'no: the server does not count how often the page of each name is opened. It stores numbers by name and day, and nothing of ' +
      'a visitor.',
    default: 'yes',
    mustBe: 'yes or no',
    isRight: (value) => value === 'yes' || value === 'no',
  },
  RATE_LIMIT_SCALE: {
    about: 'Multiplies every rate limit, for measuring; only if HOST is loopback and TRUSTED_PROXIES is 0.',
    default: '1',
    range: [1, 1_000_000],
    mustBe: '1 unless HOST is 127.0.0.1 and TRUSTED_PROXIES is 0: it is for measuring on one machine',
    isRight: (_, text) => isLoopback(text('HOST') ?? '') && Number(text('TRUSTED_PROXIES')) === 0,
  },
  ...MESSAGES,
  SUPABASE_URL: {
    about:
      'A hosted Supabase project: the pages talk to it, and no backend is started here. Set it with the key below, or neither.',
    absent: 'the embedded backend',
    mustBe: 'the project’s own URL, like https://REF.supabase.co (Project Settings, Data API)',
    // Neither unencrypted, nor the platform's dashboard.
    isRight: (value) =>
      isOrigin(value.replace(/\/$/, '')) &&
      !/^http:.*\.supabase\.co(?::\d+)?\/?$|^https?:\/\/(?:[\w-]+\.)?supabase\.com\/?$/i.test(value),
    needs: () => ['SUPABASE_PUBLISHABLE_KEY'],
    goesTo: 'pages',
  },
  SUPABASE_PUBLISHABLE_KEY: {
    about: 'The public key of that project.',
    mustBe:
      'the project’s publishable key, which begins with sb_publishable_ (Project Settings, API Keys). It is sent to every ' +
      'visitor, so no secret may be there',
    isRight: isPublishableKey,
    needs: () => ['SUPABASE_URL'],
    goesTo: 'pages',
  },
  SUPABASE_SECRET_KEY: {
    about:
      'The project’s secret key, for the machine that builds: with it a build publishes the catalogue to the project, and the ' +
      'owner’s commands work on it. It is never built into a page.',
    absent: 'no publishing',
    mustBe:
      'the project’s secret key, which begins with sb_secret_. Leave it out on a machine that does not build',
    // Alone it may be another program's.
    isRight: (value, text) => text('SUPABASE_URL') === undefined || isSecretKey(value),
    isSecret: true,
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];
export const MESSAGE_SETTINGS = Object.keys(MESSAGES) as (keyof typeof MESSAGES)[];
export const SECRET_SETTINGS = SETTING_NAMES.filter((name) => settingOf(name)?.isSecret);
export const FUNCTION_SETTINGS = SETTING_NAMES.filter((name) => settingOf(name)?.goesTo === 'functions');

/** Undefined for a name that is no setting. */
export function settingOf(name: string): Setting | undefined {
  return Object.hasOwn(SETTINGS, name) ? SETTINGS[name as SettingName] : undefined;
}

type Value<Name extends SettingName> = (typeof SETTINGS)[Name] extends { default: string }
  ? string
  : string | undefined;

/** Reads settings as texts without white space around them, and the default of those that are absent or empty. */
export function readerOf(env: Env): <Name extends SettingName>(name: Name) => Value<Name> {
  // A space may belong to a password.
  return <Name extends SettingName>(name: Name) =>
    ((name === 'ADMIN_PASSWORD' ? env[name] : env[name]?.trim()) || settingOf(name)?.default) as Value<Name>;
}

/** Says of the first wrong setting what it must be; undefined where all are right. */
export function findProblem(env: Env, names: readonly SettingName[] = SETTING_NAMES): string | undefined {
  const text = readerOf(env) as Text;
  for (const name of names) {
    const { default: absent, needs, range, mustBe, isRight, isSecret, goesTo }: Setting = SETTINGS[name];
    const value = text(name);
    if (value === undefined || value === absent) continue;
    const missing = needs?.(text).find((other) => text(other) === undefined);
    if (missing) return `${name} is set without ${missing}. Set both, or neither.`;
    const isInRange =
      !range || (/^\d+$/.test(value) && Number(value) >= range[0] && Number(value) <= range[1]);
    if (isInRange && (isRight?.(value, text) ?? true)) continue;
    const wanted = isInRange ? mustBe : `a whole number from ${range[0]} to ${range[1]}`;
    return isSecret || goesTo
      ? `${name} must be ${wanted}.`
      : `${name} is “${value}”, but must be ${wanted}.`;
  }
  return undefined;
}
