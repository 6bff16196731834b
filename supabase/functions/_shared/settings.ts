/**
 * Settings of the functions, from the environment. Those of the owner are described in .env.example, for a hosted
 * project in SECURITY.md (CLIENT_ADDRESS_HEADER); the server that starts the functions sets LOOPBACK_ONLY and
 * REQUEST_HOST_HEADER.
 */
import process from 'node:process';
import { type MessageSettings, NO_MESSAGES, readMessageSettings } from './contract/message-settings.ts';

export interface Settings {
  /** URL of the data API and auth. */
  readonly url: string;
  /** The service role's key. */
  readonly secretKey: string;
  /** If undefined, the proof of work is the bot check. */
  readonly turnstile: { readonly secret: string; readonly verifyUrl: string } | undefined;
  /** Multiplies every rate limit; 1 unless `loopbackOnly`. */
  readonly rateLimitScale: number;
  /** Whether the server listens on loopback and no proxy is in front, so that only this machine sends requests. */
  readonly loopbackOnly: boolean;
  /** Maximum lifetime of an administrator's session, in hours. */
  readonly sessionHours: number;
  /** It ends after so many minutes without a token refresh. */
  readonly sessionIdleMinutes: number;
  /** The header with the client's ip, which the server in front of the functions sets. */
  readonly ipHeader: string;
  /**
   * The header with the host that a request was sent to, which the gateway writes. Undefined without a gateway (a hosted
   * project), where a header of any name would be the client's own.
   */
  readonly hostHeader: string | undefined;
  /** ADMIN_HOST, in lower case: the only host with the admin area, if it is set. */
  readonly adminHost: string | undefined;
  /** The port of the server on this machine, for links where the site has no host of its own. */
  readonly localPort: number;
  /** None if a setting of messages is wrong. */
  readonly messages: MessageSettings;
  /** Which setting of messages is wrong, for the log. Offers are stored all the same. */
  readonly messagesProblem: string | undefined;
  /** Why every request is rejected, for the log. */
  readonly problem: string | undefined;
}

const TURNSTILE_VERIFY_URL = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';

/** Cloudflare's published test secrets, which accept (or reject) every token. */
const TURNSTILE_TEST_SECRET = /^[123]x0{10,}/;

export function readSettings(env: Record<string, string | undefined> = process.env): Settings {
  const url = env.SUPABASE_URL ?? '';
  const secretKey = readSecretKey(env);
  const turnstileSecret = env.TURNSTILE_SECRET_KEY || undefined;
  const loopbackOnly = env.LOOPBACK_ONLY === '1';
  const sessionHours = Number(env.SESSION_HOURS || 12);
  const sessionIdleMinutes = Number(env.SESSION_IDLE_MINUTES || 120);
  const messages = readMessageSettings(env);
  return {
    url,
    secretKey,
    turnstile: turnstileSecret
      ? { secret: turnstileSecret, verifyUrl: env.TURNSTILE_VERIFY_URL || TURNSTILE_VERIFY_URL }
      : undefined,
    rateLimitScale: loopbackOnly ? Number(env.RATE_LIMIT_SCALE || 1) : 1,
    loopbackOnly,
    sessionHours,
    sessionIdleMinutes,
    // Hosted functions run behind Cloudflare, which overwrites this header.
    ipHeader: env.CLIENT_ADDRESS_HEADER || 'cf-connecting-ip',
    hostHeader: env.REQUEST_HOST_HEADER || undefined,
    adminHost: env.ADMIN_HOST?.trim().toLowerCase() || undefined,
    localPort: Number(env.LOCAL_PORT || 4321),
    messages: messages.status === 'read' ? messages.settings : NO_MESSAGES,
    messagesProblem: messages.status === 'wrong' ? messages.problem : undefined,
    problem:
      findProblem(url, secretKey, turnstileSecret, loopbackOnly) ??
      findOutOfRange('SESSION_HOURS', sessionHours, 1, 720) ??
      findOutOfRange('SESSION_IDLE_MINUTES', sessionIdleMinutes, 5, 10_080),
  };
}

/** Reads the first of the variables that Supabase has had for the key, newest first. */
function readSecretKey(env: Record<string, string | undefined>): string {
  const keys = parseObject(env.SUPABASE_SECRET_KEYS);
  const named = keys.default ?? Object.values(keys)[0];
  return (
    (typeof named === 'string' && named) || env.SUPABASE_SECRET_KEY || env.SUPABASE_SERVICE_ROLE_KEY || ''
  );
}

function parseObject(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function findOutOfRange(name: string, value: number, min: number, max: number): string | undefined {
  if (Number.isInteger(value) && value >= min && value <= max) return undefined;
  return `${name} must be a whole number from ${min} to ${max}.`;
}

function findProblem(url: string, key: string, turnstileSecret: string | undefined, loopbackOnly: boolean) {
  if (!url) return 'SUPABASE_URL is missing.';
  if (!key)
    return 'No secret key: set SUPABASE_SECRET_KEYS, SUPABASE_SECRET_KEY or SUPABASE_SERVICE_ROLE_KEY.';
  if (turnstileSecret && TURNSTILE_TEST_SECRET.test(turnstileSecret) && !loopbackOnly) {
    return 'TURNSTILE_SECRET_KEY is one of Cloudflare’s test keys, which lets every bot through.';
  }
  return undefined;
}
