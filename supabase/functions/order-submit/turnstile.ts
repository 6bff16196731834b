/** The bot check by Cloudflare Turnstile: verifies a token at siteverify, and that it was issued for this site. */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { BOT_CHECK_ACTION } from '../_shared/contract/bot-check.ts';
import { isLoopback, isOwnHost, isPublicHost, type SiteHosts } from '../_shared/contract/hosts.ts';
import type { Listings } from '../_shared/listings.ts';
import type { Log } from '../_shared/log.ts';
import { readBounded } from '../_shared/read-bounded.ts';
import type { Settings } from '../_shared/settings.ts';
import type { BotCheck, BotCheckVerdict } from './bot-check.ts';

/** The used fields of siteverify's response. */
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

/** Timeouts of the first and of the second request. */
const TIMEOUTS_MS = [4_000, 2_000];
const MAX_RESPONSE_BYTES = 8 * 1024;
const MAX_AGE_SECONDS = 330;
/** How far ahead of this clock a challenge may be. */
const MAX_CLOCK_SKEW_SECONDS = 60;

export function turnstile(
  { secret, verifyUrl }: NonNullable<Settings['turnstile']>,
  listings: Listings,
  { loopbackOnly }: Pick<Settings, 'loopbackOnly'>,
  log: Log,
): BotCheck {
  return {
    limitsFailures: true,
    read: (token, _domain, sentTo) => ({
      identity: token,
      verify: async (client) => {
        const body = new URLSearchParams({
          secret,
          response: token,
          idempotency_key: uuidOf(token),
          ...(client.address !== undefined && { remoteip: client.address }),
        });
        const isVisited = (host: string) =>
          listings.allows((site) => isVisitedHost(host, site, loopbackOnly, sentTo));
        for (const timeoutMs of TIMEOUTS_MS) {
          const verdict = await requestVerdict(verifyUrl, body, timeoutMs);
          if (verdict) return await judge(verdict, isVisited, log);
        }
        return 'unavailable';
      },
    }),
  };
}

/**
 * Whether visitors open the site by this host: every host of the site and the one that the offer was sent to, but loopback
 * only if this machine alone reaches the server. An attacker can solve a Turnstile widget on a page of their own at
 * localhost. On other hosts Cloudflare itself issues tokens for those alone that the owner lists at the widget.
 */
export function isVisitedHost(
  host: string,
  site: SiteHosts,
  loopbackOnly: boolean,
  sentTo: string | undefined,
): boolean {
  const name = host.toLowerCase();
  if (loopbackOnly) return name === sentTo || isOwnHost(host, site);
  return (name === sentTo && !isLoopback(name)) || isPublicHost(host, site);
}

/** Undefined if siteverify sent no verdict; another request may get one. */
async function requestVerdict(
  verifyUrl: string,
  body: URLSearchParams,
  timeoutMs: number,
): Promise<Verdict | undefined> {
  try {
    const response = await fetch(verifyUrl, {
      method: 'POST',
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const bytes = response.body && (await readBounded(response.body.getReader(), MAX_RESPONSE_BYTES));
    if (response.status >= 500 || !bytes) return undefined;
    const verdict = VerdictSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    if (!verdict.success || verdict.data['error-codes']?.includes('internal-error')) return undefined;
    return verdict.data;
  } catch {
    return undefined;
  }
}

async function judge(
  verdict: Verdict,
  isVisited: (host: string) => Promise<boolean>,
  log: Log,
): Promise<BotCheckVerdict> {
  if (!verdict.success) {
    const codes = verdict['error-codes'] ?? [];
    if (codes.some((code) => code.endsWith('-input-secret'))) {
      log.error('order-submit', 'not_configured', 'Turnstile rejects TURNSTILE_SECRET_KEY.');
      return 'unavailable';
    }
    return codes.includes('timeout-or-duplicate') ? 'expired' : 'failed';
  }
  if (verdict.metadata?.result_with_testing_key) return 'failed';
  if (verdict.action !== BOT_CHECK_ACTION) return 'failed';
  if (!verdict.hostname || !(await isVisited(verdict.hostname))) return 'failed';
  const age = (Date.now() - Date.parse(verdict.challenge_ts ?? '')) / 1000;
  if (Number.isNaN(age) || age < -MAX_CLOCK_SKEW_SECONDS) return 'failed';
  return age > MAX_AGE_SECONDS ? 'expired' : 'passed';
}

/** Derives the idempotency key from the token, so that siteverify does not reject the second request as a duplicate. */
function uuidOf(token: string): string {
  const hash = createHash('sha256').update(`order-submit/${token}`).digest('hex');
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5');
}
