import type { Fetched, ServerCertificate } from './fetch-page.ts';
import { type Finding, findingsOf } from './finding.ts';

/** Certificates are renewed 30 days before their end as a rule. */
const MIN_DAYS = 14;
const DAY_MS = 86_400_000;

/** Endings that browsers open over https only. */
const HTTPS_ONLY =
  /\.(?:app|bank|boo|channel|dad|day|dev|esq|foo|ing|insurance|meme|mov|new|nexus|page|phd|prof|rsvp|zip)$/;

const UNKNOWN_CHAIN = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

const { ok, warn, fail } = findingsOf('certificate');

/** Judges the response over https to one address of a host. */
export function checkCertificate(host: string, secure: Fetched, now = new Date()): Finding {
  if (secure.certificate) return judge(host, secure.certificate, now);
  const code = secure.status === 'failed' ? secure.code : 'no certificate';
  if (!isUnreachable(code)) {
    return fail(
      `The TLS handshake failed (${code}): the server has no certificate for this name. See the log of the proxy.`,
    );
  }
  const why = `https does not respond (${code}): start the proxy with TLS, and open its port in the firewall.`;
  return HTTPS_ONLY.test(host) ? fail(`${why} Browsers open this ending over https only.`) : warn(why);
}

/** Whether an error means that no connection was made. */
export function isUnreachable(code: string): boolean {
  return ['ECONNREFUSED', 'TIMEOUT', 'EHOSTUNREACH'].includes(code);
}

function judge(host: string, { validTo, names, isForHost, error }: ServerCertificate, now: Date): Finding {
  if (Number.isNaN(validTo.getTime())) {
    return fail('The certificate has no readable end, and browsers reject it: get a new one.');
  }
  const daysLeft = Math.floor((validTo.getTime() - now.getTime()) / DAY_MS);
  const day = validTo.toISOString().slice(0, 10);
  const problems: string[] = [];
  if (!isForHost) {
    const some = names.slice(0, 3).join(', ') + (names.length > 3 ? ' …' : '');
    problems.push(`The certificate is for ${some || 'no name'}, not for ${host}: get one for it.`);
  }
  if (daysLeft < 0)
    problems.push(`The certificate ended on ${day}: renew it, and see why that did not happen by itself.`);
  else if (error !== undefined) problems.push(describeError(error));
  if (problems.length > 0) return { ...fail(problems.join(' ')), daysLeft };
  const left = `The certificate is valid for ${daysLeft} more ${daysLeft === 1 ? 'day' : 'days'}`;
  if (daysLeft >= MIN_DAYS) return { ...ok(`${left}.`), daysLeft };
  return { ...warn(`${left} only, until ${day}: is its renewal running?`), daysLeft };
}

function describeError(error: string): string {
  if (error === 'DEPTH_ZERO_SELF_SIGNED_CERT')
    return 'The certificate is self-signed, and browsers reject it: get one from an authority such as Let’s Encrypt.';
  if (error === 'CERT_NOT_YET_VALID')
    return 'The certificate is not valid yet: check the clocks of both machines.';
  return UNKNOWN_CHAIN.includes(error)
    ? `The chain of the certificate leads to no known authority (${error}): configure it with its intermediate certificates (fullchain.pem).`
    : `The certificate is not valid (${error}): get a new one.`;
}
