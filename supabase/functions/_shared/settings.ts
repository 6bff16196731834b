/**
 * Settings of the functions, from the environment. What an owner sets stands in .env.example, or in SECURITY.md for a
 * hosted project (CLIENT_ADDRESS_HEADER); LOOPBACK_ONLY is said by the server that starts them (server/settings.ts).
 */
import process from 'node:process';

export interface Settings {
  /** Address of the data API and auth. */
  readonly url: string;
  /** The service role's key. */
  readonly secretKey: string;
  /** Absent: the proof of work is the bot check. */
  readonly turnstile: { readonly secret: string; readonly verifyUrl: string } | undefined;
  /** Multiplies every rate limit; 1 unless the server listens on loopback only. */
  readonly rateLimitScale: number;
  /** The header that carries the visitor's address, written by whoever stands in front and by nobody else. */
  readonly addressHeader: string;
  /** ADMIN_HOST, in lower case: the host that alone has the administrator's area. Undefined where it is not set. */
  readonly adminHost: string | undefined;
  /** Why nothing can be answered: a sentence for the log. */
  readonly problem: string | undefined;
}

export const TURNSTILE_VERIFY_URL = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';

export function readSettings(env: Record<string, string | undefined> = process.env): Settings {
  const url = env.SUPABASE_URL ?? '';
  const secretKey = readSecretKey(env);
  const turnstileSecret = env.TURNSTILE_SECRET_KEY || undefined;
  const loopback = env.LOOPBACK_ONLY === '1';
  return {
    url,
    secretKey,
    turnstile: turnstileSecret
      ? { secret: turnstileSecret, verifyUrl: env.TURNSTILE_VERIFY_URL || TURNSTILE_VERIFY_URL }
      : undefined,
    rateLimitScale: loopback ? Number(env.RATE_LIMIT_SCALE || 1) : 1,
    // Hosted functions stand behind Cloudflare, which overwrites this header.
    addressHeader: env.CLIENT_ADDRESS_HEADER || 'cf-connecting-ip',
    adminHost: env.ADMIN_HOST?.trim().toLowerCase() || undefined,
    problem: findProblem(url, secretKey, turnstileSecret, loopback),
  };
}

/** In the order in which Supabase introduced them. */
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

/** Cloudflare's published secrets that let everybody (or nobody) through. */
const TURNSTILE_TEST_SECRET = /^[123]x0{10,}/;

function findProblem(url: string, key: string, turnstileSecret: string | undefined, loopback: boolean) {
  if (!url) return 'SUPABASE_URL is missing.';
  if (!key)
    return 'No secret key: set SUPABASE_SECRET_KEYS, SUPABASE_SECRET_KEY or SUPABASE_SERVICE_ROLE_KEY.';
  if (turnstileSecret && TURNSTILE_TEST_SECRET.test(turnstileSecret) && !loopback) {
    return 'TURNSTILE_SECRET_KEY is one of Cloudflare’s test keys, which lets every bot through.';
  }
  return undefined;
}
