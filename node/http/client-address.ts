import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Header by which the functions learn the visitor's address; a visitor's own is never sent on. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address';

/** The address ranges of one machine and of private networks, where proxies of one's own stand. */
const PRIVATE_RANGES: readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6'][] = [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
];

export interface ProxySettings {
  /** How many proxies stand in front: that many entries of X-Forwarded-For count, from the right. */
  readonly trustedProxies: number;
  /** Addresses or networks (`203.0.113.7`, `2001:db8::/32`) of those proxies; empty: loopback and private networks. */
  readonly trustedProxyAddresses: readonly string[];
}

export type ClientAddressOf = (request: IncomingMessage) => string | undefined;

/**
 * Finds the visitor's IP address: that of the connection, or, where the connection comes from a trusted proxy, the entry of
 * X-Forwarded-For that the outermost trusted proxy wrote. Undefined where that entry is missing or no address.
 * @param warn receives one sentence, once, where a proxy seems to stand in front and TRUSTED_PROXIES is 0
 */
export function clientAddresses(
  { trustedProxies, trustedProxyAddresses }: ProxySettings,
  warn: (sentence: string) => void = console.warn,
): ClientAddressOf {
  const trusted = trustedProxyAddresses.length > 0 ? blockListOf(trustedProxyAddresses) : privateNetworks();
  let warned = false;
  return ({ socket, headers }) => {
    const peer = withoutMapping(socket.remoteAddress ?? '');
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
      .at(-trustedProxies)
      ?.trim();
    const address = withoutMapping(withoutPort(entry ?? ''));
    return isIP(address) === 0 ? undefined : address;
  };
}

function privateNetworks(): BlockList {
  const list = new BlockList();
  for (const [network, prefix, family] of PRIVATE_RANGES) list.addSubnet(network, prefix, family);
  return list;
}

function blockListOf(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const one of addresses) {
    const [address = '', prefix] = one.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

function isInside(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** `::ffff:192.0.2.1` is the IPv4 address 192.0.2.1 on a socket for both families. */
function withoutMapping(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

/** Some proxies append the port: `192.0.2.1:5000`, `[2001:db8::1]:5000`. */
function withoutPort(address: string): string {
  return address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1').replace(/^\[(.*)\](?::\d+)?$/, '$1');
}
