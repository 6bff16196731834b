/**
 * Settings of the functions, from variables: the owner's (contract/settings.ts), and for a hosted project
 * CLIENT_ADDRESS_HEADER (SECURITY.md); the embedded backend sets LOOPBACK_ONLY and REQUEST_HOST_HEADER.
 */
import { readMessageSettings } from './contract/message-settings.ts';
import { isTurnstileTestKey } from './contract/setting-formats.ts';
import { findProblem, readerOf, SETTINGS } from './contract/settings.ts';

export type Settings = Readonly<ReturnType<typeof readSettings>>;

export function readSettings(env: Record<string, string | undefined>) {
  const text = readerOf(env);
  /** URL of the data API and auth. */
  const url = env.SUPABASE_URL ?? '';
  const publishableKeys = readKeys(env.SUPABASE_PUBLISHABLE_KEYS, env.SUPABASE_PUBLISHABLE_KEY);
  const secretKeys = readKeys(env.SUPABASE_SECRET_KEYS, env.SUPABASE_SECRET_KEY);
  /** The service role's key, by the first of the variables that Supabase has had for it, newest first. */
  const secretKey =
    secretKeys.default ?? Object.values(secretKeys)[0] ?? (env.SUPABASE_SERVICE_ROLE_KEY || '');
  const secret = text('TURNSTILE_SECRET_KEY');
  /** Whether the server listens on loopback and no proxy is in front, so that only this machine sends requests. */
  const loopbackOnly = env.LOOPBACK_ONLY === '1';
  const messages = readMessageSettings(env);
  return {
    url,
    secretKey,
    /** The project's keys, of which a request needs one. */
    keys: { url, publishableKeys, secretKeys },
    loopbackOnly,
    /** If undefined, the proof of work is the bot check. */
    turnstile: secret === undefined ? undefined : { secret, verifyUrl: text('TURNSTILE_VERIFY_URL') },
    /** Multiplies every rate limit; 1 unless `loopbackOnly`. */
    rateLimitScale: loopbackOnly ? Number(text('RATE_LIMIT_SCALE')) : 1,
    sessionHours: Number(text('SESSION_HOURS')),
    sessionIdleMinutes: Number(text('SESSION_IDLE_MINUTES')),
    /** The header with the client's ip, which the server in front of the functions sets. Cloudflare overwrites its own. */
    ipHeader: env.CLIENT_ADDRESS_HEADER || 'cf-connecting-ip',
    /**
     * The header with the host that a request was sent to, which the gateway writes. Undefined without a gateway (a hosted
     * project), where a header of any name would be the client's own.
     */
    hostHeader: env.REQUEST_HOST_HEADER || undefined,
    adminHost: text('ADMIN_HOST')?.toLowerCase(),
    /** The port of the server on this machine, for links where the site has no host of its own. */
    localPort: Number(env.LOCAL_PORT || SETTINGS.PORT.default),
    /** None if a setting of messages is wrong. */
    messages: messages.settings,
    /** Which setting of messages is wrong, for the log. Offers are stored all the same. */
    messagesProblem: messages.problem,
    /** Why every request is rejected, for the log. */
    problem:
      findMissing(url, secretKey, secret, loopbackOnly) ??
      findProblem(env, ['SESSION_HOURS', 'SESSION_IDLE_MINUTES']),
  };
}

/** Named keys as JSON, or one key. */
function readKeys(named: string | undefined, one: string | undefined): Record<string, string> {
  const keys = Object.entries(parseObject(named)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  if (keys.length > 0) return Object.fromEntries(keys);
  return one ? { default: one } : {};
}

function parseObject(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function findMissing(url: string, key: string, turnstileSecret: string | undefined, loopbackOnly: boolean) {
  if (!url) return 'SUPABASE_URL is missing.';
  if (!key)
    return 'No secret key: set SUPABASE_SECRET_KEYS, SUPABASE_SECRET_KEY or SUPABASE_SERVICE_ROLE_KEY.';
  if (turnstileSecret && isTurnstileTestKey(turnstileSecret) && !loopbackOnly) {
    return 'TURNSTILE_SECRET_KEY is one of Cloudflare’s test keys, which lets every bot through.';
  }
  return undefined;
}
