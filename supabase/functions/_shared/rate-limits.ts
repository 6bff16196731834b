/**
 * Rate limits. The counts live in the database (`private.rate_limits`), which counts atomically. SECURITY.md says against
 * whom each of them holds.
 */
import type { Sender } from './contract/ip-networks.ts';
import { keyedHash } from './keyed-hash.ts';
import type { Settings } from './settings.ts';

/** One limit, as the database's functions receive it. */
export interface Limit {
  readonly bucket: string;
  /** Keyed hash of what is counted: an IP, a network, a domain. */
  readonly key: string;
  readonly max: number;
  /** Seconds. */
  readonly window: number;
}

/** Maximum of hits per window, in seconds. */
const RATES = {
  /** Of a sender: beyond, offers are rejected. */
  'submit.ip': { max: 20, window: 600 },
  'submit.network': { max: 80, window: 600 },
  /** Of a sender for one domain: beyond, offers are held and do not count in the two that follow. */
  'submit.network-and-domain': { max: 10, window: 3_600 },
  /** Of all senders together: beyond, offers are held. */
  'submit.domain': { max: 60, window: 3_600 },
  'submit.all': { max: 600, window: 600 },
  /** Held offers: beyond, offers are rejected. `domain-again` counts those of networks that hold one there already. */
  'held.network': { max: 50, window: 86_400 },
  'held.network-and-domain': { max: 1, window: 86_400 },
  'held.domain-again': { max: 250, window: 86_400 },
  'held.domain': { max: 500, window: 86_400 },
  'held.all': { max: 5_000, window: 86_400 },
  /** Confirmations to customers; beyond, none is sent. */
  'confirmation.network': { max: 5, window: 86_400 },
  'confirmation.all': { max: 200, window: 86_400 },
  /** Tokens that Turnstile rejected: verifying one takes a request to a third party. */
  'failed-check.ip': { max: 20, window: 600 },
  'failed-check.network': { max: 80, window: 600 },
  /** Calls of `negotiation` with tokens that open nothing; a token that does is no such call. */
  'link.ip': { max: 60, window: 600 },
  'link.network': { max: 240, window: 600 },
  /** Mails to buyers about moves of the owner, and about their acceptances; beyond, the owner's moves are rejected. */
  'reply.all': { max: 200, window: 86_400 },
  'sign-in.ip': { max: 10, window: 600 },
  'sign-in.network': { max: 20, window: 600 },
  'sign-in.account-and-network': { max: 5, window: 900 },
  /** A device that signed in before, and all such devices of an account. */
  'sign-in.device': { max: 10, window: 600 },
  'sign-in.devices-of-account': { max: 20, window: 600 },
} as const;
export type Bucket = keyof typeof RATES;

/** Returns the limit of a bucket for one key. */
export function limitOf(settings: Settings, bucket: Bucket, key: string): Limit {
  const { max, window } = RATES[bucket];
  return {
    bucket,
    key: keyedHash(settings.secretKey, `limit/${bucket}`, key),
    max: Math.max(1, Math.round(max * settings.rateLimitScale)),
    window,
  };
}

/** Returns the limits of an IP and of its network. */
export function limitsOfSender(
  settings: Settings,
  prefix: 'submit' | 'failed-check' | 'link' | 'sign-in',
  sender: Sender,
): Limit[] {
  return [
    limitOf(settings, `${prefix}.ip`, sender.ip),
    limitOf(settings, `${prefix}.network`, sender.network),
  ];
}

/** Returns the account of an email: it is the same in any letter case. */
export function accountOf(email: string): string {
  return email.toLowerCase();
}
