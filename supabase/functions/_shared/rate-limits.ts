/** How often somebody may do something. The counts live in the database (`private.rate_limits`), atomically. */

import { keyedHash } from './keyed-hash.ts';
import type { Settings } from './settings.ts';

/** One limit as the database's functions take it. */
export interface Limit {
  readonly bucket: string;
  /** Keyed hash of whom it counts. */
  readonly key: string;
  readonly max: number;
  /** Seconds. */
  readonly window: number;
}

/** Hits a window, in seconds. */
const RATES = {
  'submit.address': { max: 20, window: 600 },
  /** All visitors whose address is unknown share one bucket. */
  'submit.unknown-address': { max: 60, window: 600 },
  'submit.email': { max: 10, window: 3600 },
  'submit.domain': { max: 60, window: 3600 },
  'submit.everybody': { max: 600, window: 600 },
  'sign-in.address': { max: 10, window: 600 },
  'sign-in.unknown-address': { max: 10, window: 600 },
  'sign-in.account-and-address': { max: 5, window: 900 },
  'sign-in.account': { max: 30, window: 3600 },
  /** What is left to each visitor of an account that is past its own limit. */
  'sign-in.account-under-attack': { max: 1, window: 300 },
} as const;
export type Bucket = keyof typeof RATES;

/** The limit of a bucket for one key (an address, an e-mail address, a domain). */
export async function limitOf(settings: Settings, bucket: Bucket, key: string): Promise<Limit> {
  const { max, window } = RATES[bucket];
  return {
    bucket,
    key: await keyedHash(settings.secretKey, `limit/${bucket}`, key),
    max: Math.max(1, Math.round(max * settings.rateLimitScale)),
    window,
  };
}

/**
 * The visitor's address, from the one header that whoever stands in front of the functions writes itself.
 * IPv6: the network (/64), since one household has that many addresses.
 */
export function clientAddress(request: Request, settings: Settings): string | undefined {
  const given = request.headers.get(settings.addressHeader)?.trim().toLowerCase();
  if (!given) return undefined;
  const address = withoutPort(given);
  if (!address.includes(':')) return address;
  return networkOf(address);
}

/** Some proxies append it, and then each connection would be another visitor: `192.0.2.1:5000`, `[2001:db8::1]:5000`. */
function withoutPort(address: string): string {
  return address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1').replace(/^\[(.*)\](?::\d+)?$/, '$1');
}

function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  if (mapped?.[1]) return mapped[1];
  const [head = '', tail = ''] = address.split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const filled = address.includes('::')
    ? [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
    : left;
  return filled.slice(0, 4).join(':');
}
