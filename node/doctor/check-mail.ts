import type { Lookup, Texts } from './dns-lookup.ts';
import type { Finding } from './finding.ts';

/** Judges the records by which mail servers know that mail from a domain is genuine. */
export async function checkMail(
  domain: string,
  selector: string | undefined,
  { textsOf }: Pick<Lookup, 'textsOf'>,
): Promise<Finding[]> {
  const [spf, dkim, dmarc] = await Promise.all([
    textsOf(domain),
    selector === undefined ? undefined : textsOf(`${selector}._domainkey.${domain}`),
    findDmarc(domain, textsOf),
  ]);
  const findings = [checkSpf(spf), checkDkim(domain, selector, dkim), checkDmarc(dmarc)];
  return findings.map((finding) => ({ ...finding, subject: domain }));
}

function checkSpf(answer: Texts): Finding {
  const finding = (status: Finding['status'], message: string): Finding => ({
    status,
    check: 'spf',
    message,
  });
  if (answer.status === 'failed') return finding('fail', `DNS failed (${answer.code}). Run this again.`);
  const records = textsThat(answer, /^v=spf1(?: |$)/i);
  const [record = ''] = records;
  if (records.length === 0) {
    return finding(
      'warn',
      'There is no SPF record: add a TXT record such as v=spf1 include:… -all, with what your mail provider names.',
    );
  }
  if (records.length > 1) {
    return finding('fail', `There are ${records.length} SPF records, so none counts: join them in one.`);
  }
  if (/ \+?all(?: |$)/i.test(record)) {
    return finding('fail', `“${record}” lets everybody send as this domain: end it with -all or ~all.`);
  }
  if (!/ (?:[-~?]all|redirect=\S+)(?: |$)/i.test(record)) {
    return finding('warn', `“${record}” says nothing of other servers: end it with -all or ~all.`);
  }
  return finding('ok', `“${record}”`);
}

/** @param answer undefined without a selector */
function checkDkim(domain: string, selector: string | undefined, answer: Texts | undefined): Finding {
  const finding = (status: Finding['status'], message: string): Finding => ({
    status,
    check: 'dkim',
    message,
  });
  if (selector === undefined || answer === undefined) {
    return finding(
      'skip',
      'The selector is not known: run npm run messages -- test, look for s= in the DKIM-Signature of the mail that arrives, ' +
        'and run this with --dkim-selector.',
    );
  }
  const place = `${selector}._domainkey.${domain}`;
  if (answer.status === 'failed')
    return finding('fail', `DNS failed (${answer.code}) for ${place}. Run this again.`);
  const [record] = textsThat(answer, /(?:^|;)\s*p=/i);
  if (record === undefined) {
    return finding('fail', `There is no DKIM key at ${place}: add the record that your mail provider shows.`);
  }
  if (/(?:^|;)\s*p=\s*(?:;|$)/i.test(record)) {
    return finding(
      'fail',
      `The DKIM key at ${place} is revoked (empty p=): add the one that your mail provider shows.`,
    );
  }
  return finding('ok', `There is a key at ${place}.`);
}

function checkDmarc(answer: Texts & { readonly place: string }): Finding {
  const finding = (status: Finding['status'], message: string): Finding => ({
    status,
    check: 'dmarc',
    message,
  });
  const { place } = answer;
  if (answer.status === 'failed')
    return finding('fail', `DNS failed (${answer.code}) for ${place}. Run this again.`);
  const records = textsThat(answer, /^v=DMARC1\s*;/i);
  const [record = ''] = records;
  if (records.length === 0) {
    return finding(
      'warn',
      `There is no DMARC record: add the TXT record v=DMARC1; p=none at ${place} to begin with.`,
    );
  }
  if (records.length > 1)
    return finding('fail', `There are ${records.length} DMARC records at ${place}: keep one.`);
  if (!/;\s*p=(?:none|quarantine|reject)\s*(?:;|$)/i.test(record)) {
    return finding(
      'fail',
      `“${record}” has no policy: write p=none, p=quarantine or p=reject after v=DMARC1;`,
    );
  }
  return finding('ok', `“${record}”`);
}

/** The record of the domain, else of the domain above it, as receivers look for it. */
async function findDmarc(domain: string, textsOf: Lookup['textsOf']): Promise<Texts & { place: string }> {
  const first = await readDmarc(domain, textsOf);
  const above = domain.split('.').slice(1).join('.');
  if (first.status === 'failed' || !above.includes('.') || hasDmarc(first)) return first;
  const next = await findDmarc(above, textsOf);
  return hasDmarc(next) ? next : first;
}

async function readDmarc(domain: string, textsOf: Lookup['textsOf']): Promise<Texts & { place: string }> {
  const place = `_dmarc.${domain}`;
  return { ...(await textsOf(place)), place };
}

function hasDmarc(answer: Texts): boolean {
  return textsThat(answer, /^v=DMARC1\s*;/i).length > 0;
}

function textsThat(answer: Texts, pattern: RegExp): string[] {
  return answer.status === 'found' ? answer.texts.filter((text) => pattern.test(text)) : [];
}
