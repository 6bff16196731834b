/** The bot check by Cloudflare Turnstile: asks siteverify, and believes only an answer that fits this site. */
import * as z from 'zod/mini';
import { BOT_CHECK_ACTION } from '../_shared/contract/bot-check.ts';
import { isOwnHost, type SiteHosts } from '../_shared/contract/hosts.ts';
import { type BotCheck, type BotCheckVerdict, EXPIRED, FAILED, PASSED, UNAVAILABLE } from './bot-check.ts';

/** siteverify's answer, as far as it is used here. */
const VerdictSchema = z.looseObject({
  success: z.boolean(),
  'error-codes': z.optional(z.array(z.string())),
  hostname: z.optional(z.string()),
  action: z.optional(z.string()),
  /** ISO 8601. */
  challenge_ts: z.optional(z.string()),
  metadata: z.optional(z.looseObject({ result_with_testing_key: z.optional(z.boolean()) })),
});
type Verdict = z.infer<typeof VerdictSchema>;

/** Patience for the first and for the second asking, in milliseconds. */
const PATIENCE = [4_000, 2_000];
const MAX_ANSWER_BYTES = 8 * 1024;
/** How old, and how far ahead of this clock, a challenge may be, in seconds. */
const AGE = { max: 330, ahead: 60 };

export function turnstile(account: { secret: string; verifyUrl: string }, site: SiteHosts): BotCheck {
  return {
    identify: (token) => token,
    verify: async (token, address) => {
      const idempotencyKey = await uuidOf(token);
      for (const patience of PATIENCE) {
        const verdict = await ask(account, token, address, idempotencyKey, patience);
        if (verdict) return judge(verdict, site);
      }
      return UNAVAILABLE;
    },
  };
}

/** Undefined: nothing was said, ask again. */
async function ask(
  account: { secret: string; verifyUrl: string },
  token: string,
  address: string | undefined,
  idempotencyKey: string,
  patience: number,
): Promise<Verdict | undefined> {
  try {
    const response = await fetch(account.verifyUrl, {
      method: 'POST',
      body: new URLSearchParams({
        secret: account.secret,
        response: token,
        idempotency_key: idempotencyKey,
        ...(address === undefined ? {} : { remoteip: address }),
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    });
    const text = await readBounded(response);
    if (response.status >= 500 || text === undefined) return undefined;
    const verdict = VerdictSchema.safeParse(JSON.parse(text));
    if (!verdict.success || verdict.data['error-codes']?.includes('internal-error')) return undefined;
    return verdict.data;
  } catch {
    return undefined;
  }
}

async function readBounded(response: Response): Promise<string | undefined> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.byteLength;
    if (length > MAX_ANSWER_BYTES) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function judge(verdict: Verdict, site: SiteHosts): BotCheckVerdict {
  if (!verdict.success) {
    const codes = verdict['error-codes'] ?? [];
    if (codes.some((code) => code.endsWith('-input-secret'))) {
      console.error(
        JSON.stringify({ event: 'not_configured', reason: 'Turnstile refuses TURNSTILE_SECRET_KEY.' }),
      );
      return UNAVAILABLE;
    }
    return codes.includes('timeout-or-duplicate') ? EXPIRED : FAILED;
  }
  if (verdict.metadata?.result_with_testing_key) return FAILED;
  if (verdict.action !== BOT_CHECK_ACTION) return FAILED;
  if (!verdict.hostname || !isKnownHost(verdict.hostname, site)) return FAILED;
  const age = (Date.now() - Date.parse(verdict.challenge_ts ?? '')) / 1000;
  if (Number.isNaN(age) || age < -AGE.ahead) return FAILED;
  return age > AGE.max ? EXPIRED : PASSED;
}

function isKnownHost(host: string, site: SiteHosts): boolean {
  return isOwnHost(host, site);
}

/** The same token always asks under the same key, so that asking twice does not use it up. */
async function uuidOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`order-submit/${token}`));
  const hex = Array.from(new Uint8Array(digest).slice(0, 16), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5');
}
