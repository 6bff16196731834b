/** Checks of messages: whether they leave, and the records by which mail servers know that mail from a domain is genuine. */
import { describeProblem } from '#contract/server-problem.ts';
import type { Settings } from '../../config/settings.ts';
import { findProject } from '../../server/embedded/with-project.ts';
import type { Dns } from './dns.ts';
import { type Finding, findingsOf } from './finding.ts';

type TextsOf = Dns['textsOf'];

/** Names the mail server or webhook that takes no message. A database that does not run is not started. */
export async function checkMessages(settings: Settings, timeoutMs: number): Promise<Finding[]> {
  const { ok, skip, fail } = findingsOf('messages');
  try {
    const project = await findProject(settings);
    if (typeof project === 'string') return [skip(`Not checked: ${project}`)];
    const { problems, reason } = await project.call('read_message_state', {}, timeoutMs);
    if (problems.length === 0) return [ok('No mail server or webhook rejects messages.')];
    const why = reason === null ? '' : ` The last response was: ${reason}`;
    return problems.map((problem) => fail(`${describeProblem(problem)}${why}`));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [fail(`The state of messages could not be read: ${why}`)];
  }
}

/** @param selector of the DKIM key */
export async function checkMail(
  domain: string,
  selector: string | undefined,
  { textsOf }: Pick<Dns, 'textsOf'>,
): Promise<Finding[]> {
  if (!domain.includes('.')) {
    const message = 'A domain without an ending has no records that other mail servers could read.';
    return [{ ...findingsOf('spf').skip(message), subject: domain }];
  }
  const checks = {
    spf: checkSpf(domain, textsOf),
    dkim: checkDkim(domain, selector, textsOf),
    dmarc: checkDmarc(domain, textsOf),
  };
  return await Promise.all(
    Object.entries(checks).map(async ([check, found]) => {
      const failed = ({ message }: Error) =>
        findingsOf(check).fail(`DNS failed (${message}). Run this again.`);
      return { ...(await found.catch(failed)), subject: domain };
    }),
  );
}

async function checkSpf(domain: string, textsOf: TextsOf): Promise<Finding> {
  const { ok, warn, fail } = findingsOf('spf');
  const records = (await textsOf(domain)).filter((text) => /^v=spf1(?: |$)/i.test(text));
  const [record] = records;
  if (record === undefined) {
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
  const record = (await textsOf(place)).find((text) => /(?:^|;)\s*p=/i.test(text));
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
  let records: string[] = [];
  // As receivers look for it: at the domain, then at those above it, and not at a top-level domain.
  for (let at = domain; records.length === 0 && at.includes('.'); at = at.slice(at.indexOf('.') + 1)) {
    records = (await textsOf(`_dmarc.${at}`)).filter((text) => /^v=DMARC1\s*;/i.test(text));
  }
  const [record] = records;
  if (record === undefined) {
    return warn(
      `There is no DMARC record: add the TXT record v=DMARC1; p=none at _dmarc.${domain} to begin with.`,
    );
  }
  if (records.length > 1) return fail(`There are ${records.length} DMARC records: keep one.`);
  if (!/;\s*p=(?:none|quarantine|reject)\s*(?:;|$)/i.test(record)) {
    return fail(`“${record}” has no policy: write p=none, p=quarantine or p=reject after v=DMARC1;`);
  }
  return ok(`“${record}”`);
}
