import { domainToASCII } from 'node:url';
import { DomainEntrySchema } from '../../src/catalogue/schema.ts';

/** ASCII characters that no domain name has; `domainToASCII` would take `lap.app/path` and `lap.app:80` for lap.app. */
const NOT_IN_NAMES = /[^A-Za-z0-9.\-\u0080-\u{10FFFF}]/u;

export type NameResult = { readonly name: string } | { readonly problem: string };

/**
 * Reads a domain name as people and registrars write it: upper case, white space around it and a dot at its end are
 * removed, other letters become punycode.
 */
export function readDomainName(text: string): NameResult {
  const trimmed = text.trim().replace(/\.$/, '');
  if (trimmed === '') return { problem: 'is empty' };
  const name = /[^\0-\x7F]/.test(trimmed) ? domainToASCII(trimmed) : trimmed.toLowerCase();
  if (!NOT_IN_NAMES.test(trimmed) && DomainEntrySchema.shape.name.safeParse(name).success) return { name };
  return {
    problem: `${JSON.stringify(text.trim())} is not a domain name: write it like example.com, without https://, port or path`,
  };
}
