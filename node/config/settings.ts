/** Settings of the whole product, from the environment and the file .env; each is described in .env.example. */
import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { namesOfHost } from '#contract/hosts.ts';
import { MESSAGE_SETTINGS, type MessageSettings, readMessageSettings } from '#contract/message-settings.ts';
import { isEmail } from './email.ts';
import { readEnvFile } from './env-file.ts';
import { isIpOrNetwork } from './ip-or-network.ts';
import { assertOutsideSite } from './project-folders.ts';
import { UserError } from './user-error.ts';

export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly adminEmail: string;
  readonly adminPassword: string | undefined;
  /** Host name that alone has /admin; undefined: the first of the catalogue's `hosts`, and this machine's own names. */
  readonly adminHost: string | undefined;
  /** Number of proxies in front; the same number of entries of X-Forwarded-For are trusted, from the right. */
  readonly trustedProxies: number;
  /** Addresses or networks of those proxies; empty: loopback and private networks. */
  readonly trustedProxyAddresses: readonly string[];
  /** How long a session lasts after sign-in, in hours. */
  readonly sessionHours: number;
  /** How long a session lasts without being refreshed, in minutes. */
  readonly sessionIdleMinutes: number;
  readonly rateLimitScale: number;
  readonly turnstile: { siteKey: string; secretKey: string; verifyUrl: string } | undefined;
  /** Mail and webhooks. */
  readonly messages: MessageSettings;
  /** The same as the functions read them, by the names of .env.example; empty where none is set. */
  readonly messageEnv: Readonly<Record<string, string>>;
  /** A hosted project: then no backend is started here. */
  readonly supabase:
    | {
        url: string;
        publishableKey: string;
        /** Publishes the catalogue; undefined on a machine that may not. */
        secretKey: string | undefined;
      }
    | undefined;
}

/**
 * ADMIN_EMAIL's value when it is absent, and then no choice of the owner's: the first administrator is meant.
 */
export const DEFAULT_ADMIN_EMAIL = 'admin@example.com';

/** The public key of the embedded backend. Public keys are no secret, and a fixed one keeps builds the same. */
export const EMBEDDED_PUBLISHABLE_KEY = 'sb_publishable_embedded';

/**
 * Reads and checks every setting. The environment overrides .env.
 * @throws UserError naming the setting and how to mend it
 */
export function readSettings(env: NodeJS.ProcessEnv = loadEnvironment()): Settings {
  const text = (name: string) => env[name]?.trim() || undefined;
  const host = text('HOST') ?? '127.0.0.1';
  const settings: Settings = {
    port: wholeNumber('PORT', text('PORT') ?? '4321', 0, 65_535),
    host: check('HOST', host, isHost(host), 'an address of this machine, such as 127.0.0.1 or 0.0.0.0'),
    dataDir: folder('DATA_DIR', text('DATA_DIR') ?? '.data'),
    adminEmail: email('ADMIN_EMAIL', text('ADMIN_EMAIL') ?? DEFAULT_ADMIN_EMAIL),
    // Not trimmed: a space may belong to a password.
    adminPassword: password(env.ADMIN_PASSWORD || undefined),
    adminHost: hostName('ADMIN_HOST', text('ADMIN_HOST')),
    trustedProxies: wholeNumber('TRUSTED_PROXIES', text('TRUSTED_PROXIES') ?? '0', 0, 10),
    trustedProxyAddresses: addresses('TRUSTED_PROXY_ADDRESSES', text('TRUSTED_PROXY_ADDRESSES') ?? ''),
    sessionHours: wholeNumber('SESSION_HOURS', text('SESSION_HOURS') ?? '12', 1, 720),
    sessionIdleMinutes: wholeNumber('SESSION_IDLE_MINUTES', text('SESSION_IDLE_MINUTES') ?? '120', 5, 10_080),
    rateLimitScale: wholeNumber('RATE_LIMIT_SCALE', text('RATE_LIMIT_SCALE') ?? '1', 1, 1_000_000),
    turnstile: turnstile(text),
    ...messages(env),
    supabase: supabase(text),
  };
  if (settings.rateLimitScale !== 1 && !isLoopback(settings.host)) {
    throw new UserError(
      'RATE_LIMIT_SCALE is for measuring on one machine: remove it, or set HOST to 127.0.0.1.',
    );
  }
  return settings;
}

/** Whether only this machine reaches a server that listens there. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** The environment, with the secrets taken out of it: the processes that are started from here need not have them. */
function loadEnvironment(): NodeJS.ProcessEnv {
  const environment = { ...readEnvFile(), ...process.env };
  for (const name of ['ADMIN_PASSWORD', 'SUPABASE_SECRET_KEY', ...MESSAGE_SETTINGS]) delete process.env[name];
  return environment;
}

function check(name: string, value: string, right: boolean, wanted: string): string {
  if (!right) throw new UserError(`${name} is “${value}”, but must be ${wanted}.`);
  return value;
}

function wholeNumber(name: string, value: string, min: number, max: number): number {
  const right = /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max;
  return Number(check(name, value, right, `a whole number from ${min} to ${max}`));
}

/** The folder need not be there. */
function folder(name: string, value: string): string {
  check(name, value, !value.startsWith('~'), 'written out: nothing replaces the ~ here');
  const path = resolve(value);
  const stat = statSync(path, { throwIfNoEntry: false });
  check(name, value, stat?.isDirectory() ?? true, 'a folder, and this is a file');
  assertOutsideSite(name, path);
  return path;
}

function isHost(value: string): boolean {
  return value === 'localhost' || isIP(value) !== 0;
}

function email(name: string, value: string): string {
  return check(name, value, isEmail(value), 'an email address like name@example.com');
}

/** GoTrue hashes no more of a password, in bytes. How strong it must be is decided where it is set (administrator.ts). */
const MAX_PASSWORD_BYTES = 72;

function password(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (Buffer.byteLength(value) > MAX_PASSWORD_BYTES) {
    throw new UserError(
      `ADMIN_PASSWORD must have at most ${MAX_PASSWORD_BYTES} bytes. Leave it out to have one generated.`,
    );
  }
  return value;
}

/** A list with commas, each an address or a network in CIDR notation. */
function addresses(name: string, value: string): string[] {
  const list = value.split(',').map((one) => one.trim());
  if (value === '') return [];
  check(name, value, list.every(isIpOrNetwork), 'a list like 203.0.113.7, 2001:db8::/32');
  return list;
}

function hostName(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const lower = value.toLowerCase();
  const right = /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(lower);
  return check(name, lower, right, 'a host name without port, like admin.example.com');
}

/** Cloudflare's secret keys have 35 characters, its site keys 24. */
const TURNSTILE_SECRET = /^[0-3]x[\w-]{33}$/;

function turnstile(text: (name: string) => string | undefined): Settings['turnstile'] {
  const siteKey = text('TURNSTILE_SITE_KEY');
  const secretKey = text('TURNSTILE_SECRET_KEY');
  const verifyUrl = text('TURNSTILE_VERIFY_URL') ?? '';
  if (verifyUrl) {
    const right =
      URL.canParse(verifyUrl) &&
      (new URL(verifyUrl).protocol === 'https:' ||
        (new URL(verifyUrl).protocol === 'http:' && isLoopback(new URL(verifyUrl).hostname)));
    check('TURNSTILE_VERIFY_URL', verifyUrl, right, 'an address that begins with https://');
  }
  if (siteKey === undefined && secretKey === undefined) return undefined;
  if (secretKey === undefined && text('SUPABASE_URL') === undefined) {
    throw new UserError('TURNSTILE_SITE_KEY is set without TURNSTILE_SECRET_KEY. Set both, or neither.');
  }
  if (siteKey === undefined) {
    throw new UserError('TURNSTILE_SECRET_KEY is set without TURNSTILE_SITE_KEY. Set both, or neither.');
  }
  // Not repeated in the message.
  if (TURNSTILE_SECRET.test(siteKey) || siteKey === secretKey) {
    throw new UserError(
      'TURNSTILE_SITE_KEY is the secret key of a widget, and would be sent to every visitor. Copy the site key: it is ' +
        'shorter, with 24 characters.',
    );
  }
  check('TURNSTILE_SITE_KEY', siteKey, /^[\w.-]{3,100}$/.test(siteKey), 'a site key as Cloudflare shows it');
  return { siteKey, secretKey: secretKey ?? '', verifyUrl };
}

function messages(env: NodeJS.ProcessEnv): Pick<Settings, 'messages' | 'messageEnv'> {
  const read = readMessageSettings(env);
  if (read.status === 'wrong') throw new UserError(read.problem);
  const set = MESSAGE_SETTINGS.flatMap((name) => (env[name]?.trim() ? [[name, env[name] ?? '']] : []));
  return { messages: read.settings, messageEnv: Object.fromEntries(set) };
}

function supabase(text: (name: string) => string | undefined): Settings['supabase'] {
  // The dashboard shows it without a slash at its end, browsers copy it with one.
  const url = text('SUPABASE_URL')?.replace(/\/$/, '');
  const publishableKey = text('SUPABASE_PUBLISHABLE_KEY');
  const secretKey = text('SUPABASE_SECRET_KEY');
  // A secret key alone may be another program's.
  if (url === undefined && publishableKey === undefined) return undefined;
  if (url === undefined) {
    throw new UserError(
      'SUPABASE_PUBLISHABLE_KEY is set without SUPABASE_URL: offers would stay on this machine. ' +
        'Copy both from the project, or set neither.',
    );
  }
  check(
    'SUPABASE_URL',
    url,
    /^https?:\/\/[^/]+$/.test(url) && URL.canParse(url),
    'like https://name.supabase.co',
  );
  const { protocol, hostname } = new URL(url);
  if (protocol === 'http:' && hostname.endsWith('.supabase.co')) {
    throw new UserError(
      'SUPABASE_URL begins with http://, so keys would be sent unencrypted. Write https://.',
    );
  }
  if (/^(?:[\w-]+\.)?supabase\.com$/.test(hostname)) {
    throw new UserError(
      'SUPABASE_URL is the address of the platform’s dashboard. Copy the project’s own: https://REF.supabase.co ' +
        '(Project Settings, Data API).',
    );
  }
  if (publishableKey === undefined) {
    throw new UserError('SUPABASE_URL is set without SUPABASE_PUBLISHABLE_KEY. Copy both from the project.');
  }
  // Not repeated in the message.
  if (isSecret(publishableKey)) {
    throw new UserError(
      'SUPABASE_PUBLISHABLE_KEY is a secret key, and would be sent to every visitor. Copy the public one from the ' +
        'project: it begins with sb_publishable_.',
    );
  }
  // Whatever else it is (an access token, the database's password), every visitor would get it.
  if (!isPublishable(publishableKey)) {
    throw new UserError(
      'SUPABASE_PUBLISHABLE_KEY is no publishable key. Copy it from the project (Project Settings, API Keys): it begins ' +
        'with sb_publishable_.',
    );
  }
  // Not repeated in the message either.
  if (secretKey !== undefined && !isSecret(secretKey)) {
    throw new UserError(
      'SUPABASE_SECRET_KEY is no secret key. Copy it from the project: it begins with sb_secret_. Leave it out on a machine ' +
        'that does not build.',
    );
  }
  return { url, publishableKey, secretKey };
}

function isSecret(key: string): boolean {
  return key.startsWith('sb_secret_') || legacyRole(key) === 'service_role';
}

function isPublishable(key: string): boolean {
  return key.startsWith('sb_publishable_') || legacyRole(key) === 'anon';
}

/** Keys of the former kind are tokens that name their role. */
function legacyRole(key: string): unknown {
  try {
    return JSON.parse(Buffer.from(key.split('.')[1] ?? '', 'base64url').toString()).role;
  } catch {
    return undefined;
  }
}

/** @throws UserError where ADMIN_HOST is a domain for sale: its buyer would get what browsers have stored for it */
export function checkAdminHost({ adminHost }: Settings, names: readonly string[]): void {
  if (adminHost === undefined) return;
  const name = namesOfHost(adminHost).find((one) => names.includes(one));
  if (name === undefined) return;
  throw new UserError(
    `ADMIN_HOST is “${adminHost}”, which is for sale (${name} in the catalogue). Its buyer would get what browsers have ` +
      'stored for it, your session too. Choose a host name that you keep.',
  );
}
