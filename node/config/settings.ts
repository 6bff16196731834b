/** Settings of the whole product, from the environment and the file .env; each is described in .env.example. */
import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { namesOfHost } from '#contract/hosts.ts';
import { isEmail, MESSAGE_SETTINGS, readMessageSettings } from '#contract/message-settings.ts';
import { readEnvFile } from './env-file.ts';
import { isIpOrNetwork } from './ip-or-network.ts';
import { assertOutsideSite } from './project-folders.ts';
import { UserError } from './user-error.ts';

/** ADMIN_EMAIL's value when it is absent, and then no choice of the owner's: the first administrator is meant. */
export const DEFAULT_ADMIN_EMAIL = 'admin@example.com';

/** The public key of the embedded backend. Public keys are no secret, and a fixed one keeps builds the same. */
export const EMBEDDED_PUBLISHABLE_KEY = 'sb_publishable_embedded';

export type Settings = Readonly<ReturnType<typeof readSettings>>;

/**
 * Reads and checks every setting. The environment overrides .env.
 * @throws UserError naming the setting and how to mend it
 */
export function readSettings(env: NodeJS.ProcessEnv = loadEnvironment()) {
  const text: Text = (name) => env[name]?.trim() || undefined;
  const host = text('HOST') ?? '127.0.0.1';
  const rateLimitScale = wholeNumber('RATE_LIMIT_SCALE', text('RATE_LIMIT_SCALE') ?? '1', 1, 1_000_000);
  const trustedProxies = wholeNumber('TRUSTED_PROXIES', text('TRUSTED_PROXIES') ?? '0', 0, 10);
  if (rateLimitScale !== 1 && !isForThisMachineOnly({ host, trustedProxies })) {
    throw new UserError(
      'RATE_LIMIT_SCALE is for measuring on one machine: remove it, or set HOST to 127.0.0.1 and TRUSTED_PROXIES to 0.',
    );
  }
  const adminEmail = text('ADMIN_EMAIL') ?? DEFAULT_ADMIN_EMAIL;
  return {
    port: wholeNumber('PORT', text('PORT') ?? '4321', 0, 65_535),
    host: check(
      'HOST',
      host,
      host === 'localhost' || isIP(host) !== 0,
      'an address of this machine, such as 127.0.0.1 or 0.0.0.0',
    ),
    dataDir: dataDir(text('DATA_DIR') ?? '.data'),
    adminEmail: check(
      'ADMIN_EMAIL',
      adminEmail,
      isEmail(adminEmail),
      'an email address like name@example.com',
    ),
    // Not trimmed: a space may belong to a password.
    adminPassword: password(env.ADMIN_PASSWORD || undefined),
    /** Host name that alone has /admin; undefined: the first of the catalogue's `hosts`, and this machine's own names. */
    adminHost: adminHost(text('ADMIN_HOST')),
    /** Number of proxies in front; the same number of entries of X-Forwarded-For are trusted, from the right. */
    trustedProxies,
    /** IPs or networks of those proxies; empty: loopback and private networks. */
    trustedProxyAddresses: proxyAddresses(text('TRUSTED_PROXY_ADDRESSES')),
    /** How long a session lasts after sign-in, in hours. */
    sessionHours: wholeNumber('SESSION_HOURS', text('SESSION_HOURS') ?? '12', 1, 720),
    /** How long a session lasts without being refreshed, in minutes. */
    sessionIdleMinutes: wholeNumber('SESSION_IDLE_MINUTES', text('SESSION_IDLE_MINUTES') ?? '120', 5, 10_080),
    rateLimitScale,
    turnstile: turnstile(text),
    ...messages(env),
    /** A hosted project: then no backend is started here. */
    supabase: supabase(text),
  };
}

type Text = (name: string) => string | undefined;

/** Whether only this machine sends requests: the server listens on loopback, and no proxy is in front. */
export function isForThisMachineOnly({
  host,
  trustedProxies,
}: Pick<Settings, 'host' | 'trustedProxies'>): boolean {
  return isLoopback(host) && trustedProxies === 0;
}

/** Whether a server listens there on loopback alone. A proxy on this machine reaches it for others. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Browsers look for `localhost`, and all names below it, at these. */
export function isReachedAtLocalhost({ host }: Pick<Settings, 'host'>): boolean {
  return isLoopback(host) || host === '0.0.0.0' || host === '::';
}

/** Where this machine reaches a server with these settings. */
export function localOrigin(settings: Pick<Settings, 'host'>, port: number): string {
  const host = isReachedAtLocalhost(settings) ? 'localhost' : settings.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The environment, with the secrets taken out of it: the processes that are started from here need not have them. */
function loadEnvironment(): NodeJS.ProcessEnv {
  const environment = { ...readEnvFile(), ...process.env };
  for (const name of ['ADMIN_PASSWORD', 'SUPABASE_SECRET_KEY', ...MESSAGE_SETTINGS]) delete process.env[name];
  return environment;
}

function check<Value extends string | undefined>(
  name: string,
  value: Value,
  right: boolean,
  wanted: string,
): Value {
  if (!right) throw new UserError(`${name} is “${value}”, but must be ${wanted}.`);
  return value;
}

function wholeNumber(name: string, value: string, min: number, max: number): number {
  const right = /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max;
  return Number(check(name, value, right, `a whole number from ${min} to ${max}`));
}

/** The folder need not be there. */
function dataDir(value: string): string {
  check('DATA_DIR', value, !value.startsWith('~'), 'written out: nothing replaces the ~ here');
  const path = resolve(value);
  const stat = statSync(path, { throwIfNoEntry: false });
  check('DATA_DIR', value, stat?.isDirectory() ?? true, 'a folder, and this is a file');
  assertOutsideSite('DATA_DIR', path);
  return path;
}

/** GoTrue hashes no more of a password, in bytes. How strong it must be is decided where it is set (administrator.ts). */
const MAX_PASSWORD_BYTES = 72;

function password(value: string | undefined): string | undefined {
  if (value === undefined || Buffer.byteLength(value) <= MAX_PASSWORD_BYTES) return value;
  throw new UserError(
    `ADMIN_PASSWORD must have at most ${MAX_PASSWORD_BYTES} bytes. Leave it out to have one generated.`,
  );
}

/** A list with commas, each an ip or a network in CIDR notation. */
function proxyAddresses(value: string | undefined): string[] {
  const list = value?.split(',').map((one) => one.trim()) ?? [];
  check(
    'TRUSTED_PROXY_ADDRESSES',
    value,
    list.every(isIpOrNetwork),
    'a list like 203.0.113.7, 2001:db8::/32',
  );
  return list;
}

function adminHost(value: string | undefined): string | undefined {
  const lower = value?.toLowerCase();
  const right = lower === undefined || /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(lower);
  return check('ADMIN_HOST', lower, right, 'a host name without port, like admin.example.com');
}

/** Cloudflare's published keys for tests, whose tokens prove nothing. */
const TURNSTILE_TEST_KEY = /^[123]x0{20}/;

/** Which of the keys of Turnstile are for tests, by the names of their settings. */
export function turnstileTestKeys({ siteKey, secretKey }: NonNullable<Settings['turnstile']>): string[] {
  return [
    ...(TURNSTILE_TEST_KEY.test(siteKey) ? ['TURNSTILE_SITE_KEY'] : []),
    ...(TURNSTILE_TEST_KEY.test(secretKey) ? ['TURNSTILE_SECRET_KEY'] : []),
  ];
}

/** Cloudflare's secret keys have 35 characters, its site keys 24. */
const TURNSTILE_SECRET = /^[0-3]x[\w-]{33}$/;

function turnstile(text: Text) {
  const siteKey = text('TURNSTILE_SITE_KEY');
  const secretKey = text('TURNSTILE_SECRET_KEY');
  const verifyUrl = text('TURNSTILE_VERIFY_URL') ?? '';
  if (verifyUrl) {
    const url = URL.parse(verifyUrl);
    const right = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
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

function messages(env: NodeJS.ProcessEnv) {
  const read = readMessageSettings(env);
  if (read.status === 'wrong') throw new UserError(read.problem);
  const set = MESSAGE_SETTINGS.flatMap((name) => (env[name]?.trim() ? [[name, env[name]]] : []));
  return {
    /** Mail and webhooks. */
    messages: read.settings,
    /** The same as the functions read them, by the names of .env.example; empty where none is set. */
    messageEnv: Object.fromEntries(set) as Readonly<Record<string, string>>,
  };
}

function supabase(text: Text) {
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
  // `secretKey` publishes the catalogue; undefined on a machine that may not.
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
