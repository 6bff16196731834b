/** What limits count, by gateway and functions: one customer of a provider may use every IP of such a network. */
export interface Sender {
  /** An IPv4, or the /64 of an IPv6, because one household has that many. */
  readonly ip: string;
  /** The /24 of an IPv4, or the /48 of an IPv6. */
  readonly network: string;
}

/** All visitors whose IP is unknown count as one. */
const UNKNOWN_SENDER: Sender = { ip: 'unknown', network: 'unknown' };

/**
 * Reads an IP as proxies write it: in any letter case, with a port (`192.0.2.1:5000`, `[2001:db8::1]:5000`), or an IPv4
 * as an IPv6 (`::ffff:192.0.2.1`). Not validated.
 */
export function bareIp(text: string): string {
  const ip = text
    .trim()
    .toLowerCase()
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^\[(.*)\](?::\d+)?$/, '$1');
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(ip)?.[1] ?? ip;
}

/** @param ip as `bareIp` returns it; what is no IP counts as unknown */
export function senderOf(ip: string | undefined): Sender {
  const ipv4 = /^(\d+\.\d+\.\d+)\.\d+$/.exec(ip ?? '');
  if (ipv4) return { ip: ipv4[0], network: `${ipv4[1]}/24` };
  const groups = groupsOf(ip ?? '');
  if (groups === undefined) return UNKNOWN_SENDER;
  const of = (count: number) => `${groups.slice(0, count).join(':')}::/${count * 16}`;
  return { ip: of(4), network: of(3) };
}

/** The eight groups of an IPv6 without leading zeros; undefined if it is none. */
function groupsOf(ip: string): string[] | undefined {
  if (!ip.includes(':')) return undefined;
  try {
    // A URL has the canonical form, without an IPv4 at the end, and takes no zone (`%eth0`).
    const { hostname } = new URL(`http://[${ip.split('%')[0]}]`);
    const [left = [], right = []] = hostname
      .slice(1, -1)
      .split('::')
      .map((part) => (part ? part.split(':') : []));
    return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  } catch {
    return undefined;
  }
}
