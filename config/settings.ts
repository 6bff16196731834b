/** Settings of the whole product, from the environment and the file .env; each is described in contract/settings.ts. */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { namesOfHost } from '#contract/hosts.ts';
import { readMessageSettings } from '#contract/message-settings.ts';
import { isLoopback, isTurnstileTestKey, listOf } from '#contract/setting-formats.ts';
import { FUNCTION_SETTINGS, findProblem, MESSAGE_SETTINGS, readerOf, SETTINGS } from '#contract/settings.ts';
import { consoleOf, type Io } from '../process/command.ts';
import { UserError } from '../process/user-error.ts';
import { assertOutsideSite } from './clone-folders.ts';
import { readEnvFile } from './env-file.ts';

export { isLoopback };

/** No choice of the owner's: the first administrator is meant. */
export const DEFAULT_ADMIN_EMAIL = SETTINGS.ADMIN_EMAIL.default;

/** The public key of the embedded backend. Public keys are no secret, and a fixed one keeps builds the same. */
export const EMBEDDED_PUBLISHABLE_KEY = 'sb_publishable_embedded';

/** In the clone's folder. */
const ENV_FILE = '.env';

export type Settings = Readonly<ReturnType<typeof readSettings>>;

/**
 * Reads and checks every setting. The environment overrides .env.
 * @param cwd the clone's folder
 * @throws UserError naming the setting and how to mend it
 */
export function readSettings(env: NodeJS.ProcessEnv = loadEnvironment(process), cwd = process.cwd()) {
  const problem = findProblem(env);
  if (problem) throw new UserError(problem);
  const text = readerOf(env);
  const siteKey = text('TURNSTILE_SITE_KEY');
  // The dashboard shows it without a slash at its end, browsers copy it with one.
  const url = text('SUPABASE_URL')?.replace(/\/$/, '');
  const publishableKey = text('SUPABASE_PUBLISHABLE_KEY');
  return {
    port: Number(text('PORT')),
    host: text('HOST'),
    dataDir: dataDir(text('DATA_DIR'), cwd),
    adminEmail: text('ADMIN_EMAIL'),
    adminPassword: text('ADMIN_PASSWORD'),
    adminHost: text('ADMIN_HOST')?.toLowerCase(),
    /** Number of proxies in front; the same number of entries of X-Forwarded-For are trusted, from the right. */
    trustedProxies: Number(text('TRUSTED_PROXIES')),
    /** IPs or networks of those proxies; empty: loopback and private networks. */
    trustedProxyAddresses: listOf(text('TRUSTED_PROXY_ADDRESSES')),
    rateLimitScale: Number(text('RATE_LIMIT_SCALE')),
    countVisits: text('COUNT_VISITS') === 'yes',
    /** The secret key is empty where only a hosted project has it. */
    turnstile: siteKey
      ? { siteKey, secretKey: text('TURNSTILE_SECRET_KEY') ?? '', verifyUrl: text('TURNSTILE_VERIFY_URL') }
      : undefined,
    /** Mail and webhooks. */
    messages: readMessageSettings(env).settings,
    functionsEnv: functionsEnv(env),
    /** A hosted project: then no backend is started here. Its secret key publishes the catalogue. */
    supabase:
      url && publishableKey ? { url, publishableKey, secretKey: text('SUPABASE_SECRET_KEY') } : undefined,
  };
}

/** Whether only this machine sends requests: the server listens on loopback, and no proxy is in front. */
export function isForThisMachineOnly({
  host,
  trustedProxies,
}: Pick<Settings, 'host' | 'trustedProxies'>): boolean {
  return isLoopback(host) && trustedProxies === 0;
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

/** Reads the settings of a command. @throws UserError of readSettings */
export function settingsOf(io: Io): Settings {
  return readSettings(loadEnvironment(io), io.cwd());
}

/** The environment, with the secrets taken out of it: the processes that are started from here need not have them. */
function loadEnvironment(io: Io): NodeJS.ProcessEnv {
  const environment = { ...readEnvFile(join(io.cwd(), ENV_FILE), consoleOf(io).warn, ENV_FILE), ...io.env };
  for (const name of ['ADMIN_PASSWORD', 'SUPABASE_SECRET_KEY', ...MESSAGE_SETTINGS]) delete io.env[name];
  return environment;
}

/** The folder need not be there. */
function dataDir(value: string, cwd: string): string {
  const path = resolve(cwd, value);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new UserError(`DATA_DIR is “${value}”, but must be a folder, and this is a file.`);
  }
  assertOutsideSite('DATA_DIR', path, cwd);
  return path;
}

/** What the functions get, by the names of the settings: those that are set, and numbers in any case. */
function functionsEnv(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const text = readerOf(env);
  const all = FUNCTION_SETTINGS.filter((name) => env[name]?.trim() || 'range' in SETTINGS[name]);
  return Object.fromEntries(all.map((name) => [name, text(name) ?? '']));
}

/** Which of the keys of Turnstile are for tests, by the names of their settings. */
export function turnstileTestKeys({ siteKey, secretKey }: NonNullable<Settings['turnstile']>): string[] {
  return [
    ...(isTurnstileTestKey(siteKey) ? ['TURNSTILE_SITE_KEY'] : []),
    ...(isTurnstileTestKey(secretKey) ? ['TURNSTILE_SECRET_KEY'] : []),
  ];
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
