import { type Finding, findingsOf } from './finding.ts';

export interface Seen {
  readonly trustedProxies: number;
  /** PORT. */
  readonly port: number;
  readonly httpPort: number;
  /** How visitors' hosts responded with pages of the build. */
  readonly over: ReadonlySet<'https' | 'http'>;
  /** Whether the product runs on this machine, with the embedded backend. */
  readonly isHere: boolean;
}

/**
 * Judges TRUSTED_PROXIES. The product speaks plain http only: where its pages come over https, or over http on another
 * port than its own, a proxy is in front. How many proxies there are cannot be seen from here.
 */
export function checkProxies({ trustedProxies, port, httpPort, over, isHere }: Seen): Finding {
  const { ok, skip, warn, fail } = findingsOf('proxies');
  if (!isHere) return skip('Not checked, because no embedded backend runs here.');
  if (over.size === 0) return skip('Not checked, because no host responded with its page.');
  const isProxied = over.has('https') || port !== httpPort;
  if (isProxied && trustedProxies === 0) {
    return fail(
      'A proxy is in front and TRUSTED_PROXIES is 0, so all visitors count as one: set TRUSTED_PROXIES=1.',
    );
  }
  if (!isProxied && trustedProxies > 0) {
    return warn(
      `TRUSTED_PROXIES is ${trustedProxies}, and visitors reach the product without a proxy: remove it.`,
    );
  }
  return ok(
    isProxied
      ? `A proxy is in front, and TRUSTED_PROXIES is ${trustedProxies}.`
      : 'No proxy is in front, and none is set.',
  );
}
