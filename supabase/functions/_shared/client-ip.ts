import type { Settings } from './settings.ts';

export interface Client {
  readonly ip: string;
  /** Counts as one visitor: an IPv4, or an IPv6 /64, because one household has that many. */
  readonly network: string;
  /**
   * The networks around it that one customer of a provider may hold, narrowest first: the /24 of an IPv4, the /56 and the
   * /48 of an IPv6. All limits of networks count these.
   */
  readonly widerNetworks: readonly WiderNetwork[];
}

interface WiderNetwork {
  readonly prefix: 24 | 48 | 56;
  readonly network: string;
}

/** Reads the client's ip from the header that the server in front of the functions sets. Undefined without it. */
export function readClient(request: Request, settings: Settings): Client | undefined {
  const header = request.headers.get(settings.ipHeader)?.trim().toLowerCase();
  if (!header) return undefined;
  const ip = withoutPort(header);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(ip)?.[1];
  return mapped || !ip.includes(':') ? ipv4Client(mapped ?? ip) : ipv6Client(ip);
}

function ipv4Client(ip: string): Client {
  const network = `${ip.split('.').slice(0, 3).join('.')}/24`;
  return { ip, network: ip, widerNetworks: [{ prefix: 24, network }] };
}

function ipv6Client(ip: string): Client {
  const groups = groupsOf(ip);
  const first = groups.slice(0, 3).join(':');
  const fourth = Number.parseInt(groups[3] ?? '0', 16) || 0;
  return {
    ip,
    network: `${first}:${groups[3]}`,
    widerNetworks: [
      { prefix: 56, network: `${first}:${(fourth & 0xff00).toString(16)}/56` },
      { prefix: 48, network: `${first}/48` },
    ],
  };
}

/** Removes the port that some proxies append, which differs by connection: `192.0.2.1:5000`, `[2001:db8::1]:5000`. */
function withoutPort(ip: string): string {
  return ip.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1').replace(/^\[(.*)\](?::\d+)?$/, '$1');
}

/** The eight groups of an IPv6, without leading zeros. */
function groupsOf(ip: string): string[] {
  const [head = '', tail = ''] = ip.split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const missing = ip.includes('::') ? Math.max(0, 8 - left.length - right.length) : 0;
  return [...left, ...Array<string>(missing).fill('0'), ...right].map(
    (group) => group.replace(/^0+(?=.)/, '') || '0',
  );
}
