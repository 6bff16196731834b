/** Rate limits. The counts live in the database (`private.rate_limits`), which counts atomically. */
import type { Client } from './client-ip.ts';
import { keyedHash } from './keyed-hash.ts';
import type { Settings } from './settings.ts';

/** One limit, as the database's functions receive it. */
export interface Limit {
  readonly bucket: string;
  /** Keyed hash of what is counted: an ip, an account, a domain. */
  readonly key: string;
  readonly max: number;
  /** Seconds. */
  readonly window: number;
  /** Whether a limit of offers counts one sender, and not all senders together. */
  readonly own?: true;
  /** Only for a limit of held offers: it counts those alone that come after this limit is reached. */
  readonly after?: Limit;
}

/**
 * Maximum of hits per window, in seconds. A limit of offers that is reached rejects none: it is one step, which doubles
 * the work of the next offer. All visitors whose ip is unknown share the limits `unknown-address`.
 */
const RATES = {
  'submit.address': { max: 20, window: 600 },
  'submit.unknown-address': { max: 60, window: 600 },
  'submit.network-24': { max: 80, window: 600 },
  'submit.network-56': { max: 80, window: 600 },
  'submit.network-48': { max: 320, window: 600 },
  'submit.domain': { max: 60, window: 3600 },
  'submit.everybody': { max: 600, window: 600 },
  /**
   * Offers beyond the hardest step, which are stored as held: for one domain, and of one sender for all domains. Of those
   * of a domain, some are left to networks (/24, /48) that hold none yet: `domain-again` counts the others.
   */
  'held.domain': { max: 500, window: 86_400 },
  'held.domain-again': { max: 250, window: 86_400 },
  'held.domain-and-network': { max: 1, window: 86_400 },
  'held.address': { max: 25, window: 86_400 },
  'held.unknown-address': { max: 100, window: 86_400 },
  'held.network-24': { max: 50, window: 86_400 },
  'held.network-56': { max: 50, window: 86_400 },
  'held.network-48': { max: 100, window: 86_400 },
  /** Confirmations to customers: from one network (/24, /48), and all. */
  'confirmation.network': { max: 5, window: 86_400 },
  'confirmation.everybody': { max: 200, window: 86_400 },
  /** Tokens that Turnstile rejected. */
  'failed-check.address': { max: 20, window: 600 },
  'failed-check.unknown-address': { max: 60, window: 600 },
  'sign-in.address': { max: 10, window: 600 },
  'sign-in.unknown-address': { max: 10, window: 600 },
  'sign-in.network-24': { max: 40, window: 600 },
  'sign-in.network-56': { max: 40, window: 600 },
  'sign-in.network-48': { max: 160, window: 600 },
  'sign-in.account-and-address': { max: 5, window: 900 },
  'sign-in.account': { max: 30, window: 3600 },
  /** The attempts that each ip has left for an account that is past its own limit. */
  'sign-in.account-under-attack': { max: 1, window: 300 },
  /** Attempts with a proof of work; each time the limit is reached again, the next proof needs twice the work. */
  'sign-in.account-by-proof': { max: 20, window: 3600 },
  /** A device that signed in before, and all such devices of an account. */
  'sign-in.device': { max: 10, window: 600 },
  'sign-in.account-by-device': { max: 20, window: 600 },
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

/** Returns the limit of an ip; all clients without a known one share a limit. */
export function limitOfIp(
  settings: Settings,
  prefix: 'submit' | 'held' | 'failed-check' | 'sign-in',
  client: Client | undefined,
): Limit {
  return client === undefined
    ? limitOf(settings, `${prefix}.unknown-address`, '')
    : limitOf(settings, `${prefix}.address`, client.network);
}

/** Returns the limits of an ip and of the networks around it: one customer may hold all of their ips. */
export function limitsOfSender(
  settings: Settings,
  prefix: 'submit' | 'held' | 'sign-in',
  client: Client | undefined,
): Limit[] {
  const wider = client?.widerNetworks ?? [];
  return [
    limitOfIp(settings, prefix, client),
    ...wider.map(({ prefix: bits, network }) => limitOf(settings, `${prefix}.network-${bits}`, network)),
  ];
}

/** Returns the account of an email: it is the same in any letter case. */
export function accountOf(email: string): string {
  return email.toLowerCase();
}
