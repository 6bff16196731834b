import type { Lookup, Texts } from './dns-lookup.ts';
import { type Finding, findingsOf } from './finding.ts';

const DMARC = /^v=DMARC1\s*;/i;

/** Judges the records by which mail servers know that mail from a domain is genuine. */
export async function checkMail(
  domain: string,
  selector: string | undefined,
  { textsOf }: Pick<Lookup, 'textsOf'>,
): Promise<Finding[]> {
  const findings = await Promise.all([
    checkSpf(domain, textsOf),
    checkDkim(domain, selector, textsOf),
    checkDmarc(domain, textsOf),
  ]);
  return findings.map((finding) => ({ ...finding, subject: domain }));
}

type TextsOf = Lookup['textsOf'];

async function checkSpf(domain: string, textsOf: TextsOf): Promise<Finding> {
  const { ok, warn, fail } = findingsOf('spf');
  const answer = await textsOf(domain);
  if (answer.status === 'failed') return fail(`DNS failed (${answer.code}). Run this again.`);
  const records = textsThat(answer, /^v=spf1(?: |$)/i);
  const [record = ''] = records;
  if (records.length === 0) {
    return warn(
      'There is no SPF record: add a TXT record such as v=spf1 include:… -all, with what your mail provider names.',
    );
  }
  if (records.length > 1) {
    return fail(`There are ${records.length} SPF records, so none counts: join them in one.`);
  }
  if (/ \+?all(?: |$)/i.test(record)) {
    return fail(`“${record}” lets everybody send as this domain: end it with -all or ~all.`);
  }
  if (!/ (?:[-~?]all|redirect=\S+)(?: |$)/i.test(record)) {
    return warn(`“${record}” says nothing of other servers: end it with -all or ~all.`);
  }
  return ok(`“${record}”`);
}

async function checkDkim(domain: string, selector: string | undefined, textsOf: TextsOf): Promise<Finding> {
  const { ok, skip, fail } = findingsOf('dkim');
  if (selector === undefined) {
    return skip(
      'The selector is not known: run npm run messages -- test, look for s= in the DKIM-Signature of the mail that arrives, ' +
        'and run this with --dkim-selector.',
    );
  }
  const place = `${selector}._domainkey.${domain}`;
  const answer = await textsOf(place);
  if (answer.status === 'failed') return fail(`DNS failed (${answer.code}) for ${place}. Run this again.`);
  const [record] = textsThat(answer, /(?:^|;)\s*p=/i);
  if (record === undefined) {
    return fail(`There is no DKIM key at ${place}: add the record that your mail provider shows.`);
  }
  if (/(?:^|;)\s*p=\s*(?:;|$)/i.test(record)) {
    return fail(`The DKIM key at ${place} is revoked (empty p=): add the one that your mail provider shows.`);
  }
  return ok(`There is a key at ${place}.`);
}

async function checkDmarc(domain: string, textsOf: TextsOf): Promise<Finding> {
  const { ok, warn, fail } = findingsOf('dmarc');
  const { place, ...answer } = await findDmarc(domain, textsOf);
  if (answer.status === 'failed') return fail(`DNS failed (${answer.code}) for ${place}. Run this again.`);
  const records = textsThat(answer, DMARC);
  const [record = ''] = records;
  if (records.length === 0) {
    return warn(`There is no DMARC record: add the TXT record v=DMARC1; p=none at ${place} to begin with.`);
  }
  if (records.length > 1) return fail(`There are ${records.length} DMARC records at ${place}: keep one.`);
  if (!/;\s*p=(?:none|quarantine|reject)\s*(?:;|$)/i.test(record)) {
    return fail(`“${record}” has no policy: write p=none, p=quarantine or p=reject after v=DMARC1;`);
  }
  return ok(`“${record}”`);
}

/** The record of the domain, else of the domain above it, as receivers look for it. */
async function findDmarc(domain: string, textsOf: TextsOf): Promise<Texts & { place: string }> {
  const place = `_dmarc.${domain}`;
  const first = { ...(await textsOf(place)), place };
  const above = domain.split('.').slice(1).join('.');
  if (first.status === 'failed' || !above.includes('.') || hasDmarc(first)) return first;
  const next = await findDmarc(above, textsOf);
  return hasDmarc(next) ? next : first;
}

function hasDmarc(answer: Texts): boolean {
  return textsThat(answer, DMARC).length > 0;
}

function textsThat(answer: Texts, pattern: RegExp): string[] {
  return answer.status === 'found' ? answer.texts.filter((text) => pattern.test(text)) : [];
}
