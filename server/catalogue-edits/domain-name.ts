import { domainToASCII } from 'node:url';
import { DomainEntrySchema } from '../../src/catalogue/schema.ts';

/** ASCII characters that no domain name has; `domainToASCII` would take `lap.app/path` and `lap.app:80` for lap.app. */
const NOT_IN_NAMES = /[^A-Za-z0-9.\-\u0080-\u{10FFFF}]/u;

export type NameResult = { readonly name: string } | { readonly problem: string };

/** The host of an address of a web page. */
const ADDRESS = /^https?:\/\/([^/?#]*?)(?::\d+)?(?:[/?#].*)?$/is;

/**
 * Reads a domain name as people and registrars write it: upper case, white space around it, a dot at its end, `www.` before it,
 * and what else the address of a page has are removed, other letters become punycode.
 */
export function readDomainName(text: string): NameResult {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === '.') return { problem: 'is empty' };
  const host = ADDRESS.exec(trimmed)?.[1] ?? trimmed;
  // www.com is a domain itself.
  const written = host.replace(/\.$/, '').replace(/^www\.(?=.*\.)/is, '');
  const name = /[^\0-\x7F]/.test(written) ? domainToASCII(written) : written.toLowerCase();
  if (!NOT_IN_NAMES.test(written) && DomainEntrySchema.shape.name.safeParse(name).success) return { name };
  return { problem: `${JSON.stringify(trimmed)} is not a domain name: write it like example.com` };
}
