import { priceOf } from '#contract/price-of.ts';
import { firstDescription } from '../../src/catalogue/description.ts';
import type { Catalogue } from '../../src/catalogue/load.ts';
import { shownPrice } from '../../src/catalogue/shown-price.ts';
import { canonicalUrl, locationOfDomain } from '../../src/seo/canonical-url.ts';

/** How long resolvers may cache a record, in seconds. RFC 10023 recommends at most an hour. */
const TTL = 3600;
const VERSION = 'v=FORSALE1;';
/** The longest character-string of DNS, in octets. A record of RFC 10023 is one. */
const MAX_STRING = 255;
/** The longest name of DNS, in characters, without the dot at its end. */
const MAX_NAME = 253;
/** Marks a text that was cut. */
const ELLIPSIS = '…';

/**
 * The `_for-sale` TXT records of RFC 10023 for each domain that is for sale, as lines of a zone file: the URL of its page,
 * its description as far as it fits, and its price where visitors see it and it reads as an amount. Each record is one
 * string of at most 255 octets with one tag; what does not fit is left out.
 */
export function forSaleRecords(
  { domains, settings }: Catalogue,
  siteUrlOf: (name: string) => string = (name) => canonicalUrl(locationOfDomain(name), ''),
): string[] {
  return domains.filter(canHaveRecords).flatMap(({ name, description, price }) => {
    const amount = priceOf(shownPrice(settings, price) ?? '', settings.currencies);
    const text = plainText(firstDescription(description, settings.languages));
    const values = {
      furi: siteUrlOf(name),
      ftxt: shortenOctets(text, MAX_STRING - octets(`${VERSION}ftxt=`)),
      fval: amount ? amount.currency + amount.amount : '',
    };
    return Object.entries(values)
      .filter(([, value]) => value !== '')
      .map(([tag, value]) => `${VERSION}${tag}=${value}`)
      .filter((string) => octets(string) <= MAX_STRING)
      .map((string) => `_for-sale.${name}. ${TTL} IN TXT "${escapeString(string)}"`);
  });
}

/** The RFC excludes `.arpa`. */
function canHaveRecords({ name, state }: Catalogue['domains'][number]): boolean {
  return state === undefined && `_for-sale.${name}`.length <= MAX_NAME && !name.endsWith('.arpa');
}

/** On one line, in Unicode's composed form. A `;` that would begin another tag becomes a comma. */
function plainText(description: string): string {
  return description
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Noncharacter_Code_Point}/gu, '\uFFFD')
    .replace(/;(?=\s*\w+=)/g, ',')
    .trim();
}

/** Cuts a text after a word, or inside the first one if that is too long. Other texts are cut by letters, this by octets. */
function shortenOctets(text: string, max: number): string {
  if (octets(text) <= max) return text;
  let start = '';
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    if (octets(start + segment + ELLIPSIS) > max) break;
    start += segment;
  }
  return start.replace(/\s+\S*$/, '') + ELLIPSIS;
}

/** A character-string as a zone file writes it between quotes: octets beyond ASCII as three decimal digits. */
function escapeString(text: string): string {
  return [...Buffer.from(text)]
    .map((octet) => {
      const character = String.fromCharCode(octet);
      if (character === '"' || character === '\\') return `\\${character}`;
      return octet >= 0x20 && octet < 0x7f ? character : `\\${String(octet).padStart(3, '0')}`;
    })
    .join('');
}

function octets(text: string): number {
  return Buffer.byteLength(text);
}
