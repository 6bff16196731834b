import { isIPv4, isIPv6 } from 'node:net';

/** Keys under which limits count an ip. IPv4: the ip and its /24. IPv6: the /64 (one household), the /56 and the /48. All unknown ips count as one. */
export function networkKeysOf(ip = ''): { key: string; level: 'ip' | 'network' | 'site' }[] {
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
  // A URL has the canonical form, in lower case and without an IPv4 at the end, and takes no zone (`%eth0`).
  const { hostname } = new URL(`http://[${ip.split('%')[0]}]`);
  const [left = [], right = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':'));
  const middle = Array<string>(8 - left.length - right.length).fill('');
  const groups = [...left, ...middle, ...right].slice(0, 4);
  return groups.map((group) => group.padStart(4, '0')).join('');
}
