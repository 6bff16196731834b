import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { bareIp } from '#contract/ip-networks.ts';
import type { Settings } from '../../config/settings.ts';

/** Header with the client's ip for the functions. A client's own header of this name is never forwarded. */
export const CLIENT_IP_HEADER = 'x-client-address';

export const LOOPBACK = blockListOf(['127.0.0.0/8', '::1']);

/** Loopback and private networks, where the owner's proxies run. */
export const PRIVATE_NETWORKS = blockListOf([
  ...['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16'],
  ...['::1', 'fc00::/7', 'fe80::/10'],
]);

/** Headers by which a proxy names the client or itself. */
const FORWARDING_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
] as const;

type ProxySettings = Pick<Settings, 'trustedProxies' | 'trustedProxyAddresses'>;
export type ClientIpOf = (request: IncomingMessage) => string | undefined;

/**
 * Returns a function that finds the client's ip: that of the connection, or, behind a trusted proxy, the entry of
 * X-Forwarded-For that the outermost trusted proxy added. Undefined if that entry is missing or malformed.
 * @param warn receives one message, once, if a proxy seems to be in front and TRUSTED_PROXIES is 0
 */
export function createClientIpOf(
  { trustedProxies, trustedProxyAddresses }: ProxySettings,
  warn: (message: string) => void = console.warn,
): ClientIpOf {
  const trusted = trustedProxyAddresses.length > 0 ? blockListOf(trustedProxyAddresses) : PRIVATE_NETWORKS;
  let warned = false;
  return ({ socket, headers }) => {
    const peer = bareIp(socket.remoteAddress ?? '');
    const forwarded = headers['x-forwarded-for'];
    if (trustedProxies === 0) {
      if (forwarded !== undefined && !warned && isInside(trusted, peer)) {
        warned = true;
        warn(
          'A request came through a proxy (X-Forwarded-For), but TRUSTED_PROXIES is 0: all visitors count as one. ' +
            'Set TRUSTED_PROXIES=1.',
        );
      }
      return peer || undefined;
    }
    if (!isInside(trusted, peer)) return peer || undefined;
    const entry = String(forwarded ?? '')
      .split(',')
      .at(-trustedProxies);
    const ip = bareIp(entry ?? '');
    return isIP(ip) === 0 ? undefined : ip;
  };
}

/** Whether a program in these networks sends a request itself, and not for a client of its own. */
export function isSentFrom(networks: BlockList, { socket, headers }: IncomingMessage): boolean {
  if (FORWARDING_HEADERS.some((name) => headers[name] !== undefined)) return false;
  return isInside(networks, bareIp(socket.remoteAddress ?? ''));
}

export function isLoopback(ip: string | undefined): boolean {
  return isInside(LOOPBACK, ip ?? '');
}

/** @param ips each an IP or a network (`203.0.113.7`, `2001:db8::/32`) */
function blockListOf(ips: readonly string[]): BlockList {
  const list = new BlockList();
  for (const one of ips) {
    const [ip = '', prefix] = one.split('/');
    const family = isIP(ip) === 4 ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(ip, family);
    else list.addSubnet(ip, Number(prefix), family);
  }
  return list;
}

function isInside(list: BlockList, ip: string): boolean {
  const family = isIP(ip);
  return family !== 0 && list.check(ip, family === 4 ? 'ipv4' : 'ipv6');
}
