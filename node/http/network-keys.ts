import { isIPv4, isIPv6 } from 'node:net';

/** An address as limits count it, by how much is counted together. */
export interface NetworkKey {
  readonly key: string;
  readonly level: 'address' | 'network' | 'site';
}

/** IPv4: the address and its /24. IPv6: the /64, which one household has, the /56 and the /48. All unknown addresses are one. */
export function networkKeysOf(address = ''): NetworkKey[] {
  if (isIPv4(address)) {
    return [
      { key: address, level: 'address' },
      { key: address.slice(0, address.lastIndexOf('.')), level: 'network' },
    ];
  }
  if (!isIPv6(address)) return [{ key: 'unknown', level: 'address' }];
  const bits = networkBitsOf(address);
  return [
    { key: bits.slice(0, 16), level: 'address' },
    { key: bits.slice(0, 14), level: 'network' },
    { key: bits.slice(0, 12), level: 'site' },
  ];
}

/** The first 64 bits of an IPv6 address as 16 hexadecimal digits. */
function networkBitsOf(address: string): string {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  // An IPv4 address at the end stands for two groups.
  const rightGroups = right.length + (right.at(-1)?.includes('.') ? 1 : 0);
  const middle = tail === undefined ? 0 : Math.max(0, 8 - left.length - rightGroups);
  const groups = [...left, ...Array<string>(middle).fill('0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => group.padStart(4, '0').toLowerCase())
    .join('');
}
