import { isIPv4, isIPv6 } from 'node:net';

/** A key under which limits count an ip, from one ip to its site. */
export interface NetworkKey {
  readonly key: string;
  readonly level: 'ip' | 'network' | 'site';
}

/** IPv4: the ip and its /24. IPv6: the /64 (one household), the /56 and the /48. All unknown ips count as one. */
export function networkKeysOf(ip = ''): NetworkKey[] {
  if (isIPv4(ip)) {
    return [
      { key: ip, level: 'ip' },
      { key: ip.slice(0, ip.lastIndexOf('.')), level: 'network' },
    ];
  }
  if (!isIPv6(ip)) return [{ key: 'unknown', level: 'ip' }];
  const bits = networkBitsOf(ip);
  return [
    { key: bits.slice(0, 16), level: 'ip' },
    { key: bits.slice(0, 14), level: 'network' },
    { key: bits.slice(0, 12), level: 'site' },
  ];
}

/** The first 64 bits of an IPv6 address as 16 hexadecimal digits. */
function networkBitsOf(ip: string): string {
  const [head = '', tail] = ip.split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  // An IPv4 address at the end replaces two groups.
  const rightGroups = right.length + (right.at(-1)?.includes('.') ? 1 : 0);
  const middle = tail === undefined ? 0 : Math.max(0, 8 - left.length - rightGroups);
  const groups = [...left, ...Array<string>(middle).fill('0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => group.padStart(4, '0').toLowerCase())
    .join('');
}
