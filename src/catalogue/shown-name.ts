import { domainToUnicode } from 'node:url';

/**
 * A domain as a person reads it: an `xn--` name in its own letters, whatever their script, because the owner means what
 * stands in the catalogue. For the build alone; browsers cannot decode it, and are told. One that cannot be decoded
 * stays as it is.
 */
export function shownName(name: string): string {
  return name.includes('xn--') ? domainToUnicode(name) || name : name;
}
