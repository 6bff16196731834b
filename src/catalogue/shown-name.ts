import { domainToUnicode } from 'node:url';

/**
 * Decodes an `xn--` name, in any script: the owner's catalogue is trusted. For the build only, since browsers cannot
 * decode names; pages embed the result. Returns the name unchanged if it cannot be decoded.
 */
export function shownName(name: string): string {
  return name.includes('xn--') ? domainToUnicode(name) || name : name;
}
