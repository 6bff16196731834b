/** Checks of the hosts that visitors open: DNS, certificate, page and redirects of each, and the proxies in front. */
import { existsSync, readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { checkServerIdentity } from 'node:tls';
import type { SiteHosts } from '#contract/hosts.ts';
import type { Settings } from '../../config/settings.ts';
import { fileOfPage } from '../../site-builder/built-site/page-paths.ts';
import { liveBuild } from '../../site-builder/live-build.ts';
import { pageOfHost } from '../../src/serving/page-of-host.ts';
import { ABSENT, type Addresses } from './dns.ts';
import { type Finding, findingsOf } from './finding.ts';
import { type Certificate, type Fetched, isOfName, type Network, type Visit, visit } from './visit.ts';

/** A host of the site and the page that it has to respond with. */
export interface Target {
  readonly host: string;
  /** Path that is requested. */
  readonly path: string;
  /** The name in the catalogue, also of its `www.`; undefined for other hosts of the site. */
  readonly name: string | undefined;
}

/** Of the served build. */
export interface ExpectedPages {
  /** The page of the host; undefined where the build has none. */
  readonly page: Buffer | undefined;
  /** The page of unknown hosts. */
  readonly root: Buffer | undefined;
}

export interface HostResult {
  readonly findings: readonly Finding[];
  /** How the right page was reached. */
  readonly over: readonly ('https' | 'http')[];
}

/** Hosts that lead to the visitor's own machine, and IP addresses: neither has DNS. */
const WITHOUT_DNS = /(?:^|\.)localhost$|^[\d.]+$/;
/** Addresses of one host that are visited. */
const MAX_ADDRESSES = 4;
/** Errors of a machine that has no IPv6 itself. */
const NO_ROUTE = ['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'];
/** Errors without a connection. */
const UNREACHABLE = ['ECONNREFUSED', 'TIMEOUT', 'EHOSTUNREACH'];
/** Certificates are renewed 30 days before their end as a rule. */
const MIN_DAYS = 14;
const DAY_MS = 86_400_000;
/** Of a certificate, in a message. */
const MAX_NAMES = 3;
/** Endings that browsers open over https only. */
const HTTPS_ONLY =
  /\.(?:app|bank|boo|channel|dad|day|dev|esq|foo|ing|insurance|meme|mov|new|nexus|page|phd|prof|rsvp|zip)$/;
/** What to do about errors of OpenSSL; about others see `judgeCertificate`. */
const REMEDIES: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed, so get one from an authority such as Let’s Encrypt',
  CERT_NOT_YET_VALID: 'it is not valid yet, so check the clocks of both machines',
};

/** Every host that visitors open: each name and its `www.`, the site's own hosts, and ADMIN_HOST. */
export function targetsOf({ names, hosts, adminHost }: SiteHosts): Target[] {
  const own = (host: string, path = '/') => ({ host, path, name: undefined });
  const targets = [
    ...hosts.filter((host) => host !== adminHost).map((host) => own(host)),
    ...(adminHost === undefined ? [] : [own(adminHost, '/admin/login')]),
    ...[...names].flatMap((name) => [
      { host: name, path: '/', name },
      // A name such as www.example.com has none.
      ...(name.startsWith('www.') ? [] : [{ host: `www.${name}`, path: '/', name }]),
    ]),
  ];
  return targets.filter(({ host }) => !WITHOUT_DNS.test(host));
}

/** The targets of one name: with its `www.`, or one host of the site. */
export function targetsOfName(targets: readonly Target[], name: string): Target[] {
  const bare = name.toLowerCase().replace(/\.$/, '');
  return targets.filter(({ host, name: own }) => host === bare || own === bare.replace(/^www\./, ''));
}

/** Reads the page that a host has in the build that is served at this moment. */
function readServedPage({ host, path }: Target, build = liveBuild()): ExpectedPages {
  const root = join(build, 'client');
  const isPage = (page: string) => existsSync(fileOfPage(root, page));
  const page = pageOfHost(host, path, isPage) ?? (path.endsWith('/') ? path : `${path}/`);
  const read = (one: string) => (isPage(one) ? readFileSync(fileOfPage(root, one)) : undefined);
  return { page: read(page), root: read('/') };
}

/**
 * Resolves a host and visits its addresses. Never throws.
 * @param own addresses of this machine
 * @param readExpected of the build that is served at this moment
 */
export async function checkHost(
  target: Target,
  network: Network,
  own: ReadonlySet<string>,
  readExpected: (target: Target) => ExpectedPages = readServedPage,
): Promise<HostResult> {
  const { host, path } = target;
  const before = readExpected(target);
  const found = await network.dns.addressesOf(host);
  const addresses = found.addresses.slice(0, MAX_ADDRESSES);
  const visits = await Promise.all(addresses.map((address) => visit(host, address, path, network)));
  const after = readExpected(target);
  // Another build may have gone live meanwhile.
  const isRight = ({ end }: Visit) => [before, after].some(({ page }) => page && bodyOf(end)?.equals(page));
  const judged = visits.map((one) => ({
    address: one.address,
    findings: judge(host, one, isRight(one), after),
  }));
  const findings = [judgeDns(target, found, own), ...mergeEqual(judged)];
  return {
    findings: findings.map((finding) => ({ ...finding, subject: host })),
    over: visits.filter(isRight).map(({ secure }) => (secure.status === 'response' ? 'https' : 'http')),
  };
}

export function judgeDns(
  { host, name }: Target,
  { addresses, alias, code }: Addresses,
  own: ReadonlySet<string>,
): Finding {
  const { ok, warn, fail } = findingsOf('dns');
  if (addresses.length > 0) {
    const here = addresses.every((address) => own.has(address)) ? ' (this server)' : '';
    const cname = alias === undefined ? '' : ` It is an alias (CNAME) of ${alias}.`;
    return ok(`Points to ${addresses.join(', ')}${here}.${cname}`);
  }
  if (code !== undefined && !ABSENT.includes(code)) {
    return fail(
      `DNS failed (${code}). Run this again; if it stays, check the name servers and DNSSEC at the registrar.`,
    );
  }
  const isWww = name !== undefined && host !== name;
  const remedy = isWww
    ? 'Add a CNAME record to the name without www., or the same A and AAAA records.'
    : 'Add an A record with the address of your server, and an AAAA record if it has IPv6.';
  if (alias) return fail(`It is an alias (CNAME) of ${alias}, which has no address. ${remedy}`);
  // Visitors may know the name alone.
  const judgeHost = isWww ? warn : fail;
  if (code !== 'ENOTFOUND') return judgeHost(`It has neither an A nor an AAAA record. ${remedy}`);
  const registered = isWww ? '' : ' Is it registered, and has it a zone?';
  return judgeHost(`There is no such name in DNS (NXDOMAIN).${registered} ${remedy}`);
}

/** @param isRight whether the page equals the one of the build */
function judge(host: string, one: Visit, isRight: boolean, expected: ExpectedPages): Finding[] {
  const { secure, plain } = one;
  const page = judgePage(host, one, isRight, expected);
  const isSilent = secure.status === 'failed' && plain.status === 'failed' && !secure.certificate;
  // One finding is enough where nothing responds at all.
  if (isSilent && [...UNREACHABLE, ...NO_ROUTE].includes(secure.code)) return [page];
  return [judgeSecure(host, secure), page, ...judgeRedirect(host, one)];
}

function judgeSecure(host: string, secure: Fetched): Finding {
  const { warn, fail } = findingsOf('certificate');
  if (secure.certificate) return judgeCertificate(host, secure.certificate);
  const code = secure.status === 'failed' ? secure.code : 'no certificate';
  if (!UNREACHABLE.includes(code)) {
    return fail(
      `The TLS handshake failed (${code}): the server has no certificate for this name. See the log of the proxy.`,
    );
  }
  const why = `https does not respond (${code}): start the proxy with TLS, and open its port in the firewall.`;
  return HTTPS_ONLY.test(host) ? fail(`${why} Browsers open this ending over https only.`) : warn(why);
}

function judgeCertificate(host: string, { peer, error }: Certificate): Finding {
  const { ok, warn, fail } = findingsOf('certificate');
  const end = new Date(peer.valid_to);
  if (Number.isNaN(end.getTime())) {
    return fail('The certificate has no readable end, and browsers reject it: get a new one.');
  }
  const daysLeft = Math.floor((end.getTime() - Date.now()) / DAY_MS);
  const day = end.toISOString().slice(0, 10);
  const problems: string[] = [];
  if (checkServerIdentity(host, peer)) {
    const names = (peer.subjectaltname ?? 'no name').replaceAll(/(?<=^|, )[\w ]+:/g, '').split(', ');
    const some = names.slice(0, MAX_NAMES).join(', ') + (names.length > MAX_NAMES ? ' …' : '');
    problems.push(`The certificate is for ${some}, not for this host: get one for it.`);
  }
  if (daysLeft < 0)
    problems.push(`The certificate ended on ${day}: renew it, and see why that did not happen by itself.`);
  else if (error !== undefined && error !== 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const remedy = 'configure it with its intermediate certificates (fullchain.pem), or get a new one';
    problems.push(`Browsers reject the certificate (${error}): ${REMEDIES[error] ?? remedy}.`);
  }
  if (problems.length > 0) return { ...fail(problems.join(' ')), daysLeft };
  const left = `The certificate is valid for ${daysLeft} more ${daysLeft === 1 ? 'day' : 'days'}`;
  if (daysLeft >= MIN_DAYS) return { ...ok(`${left}.`), daysLeft };
  return { ...warn(`${left} only, until ${day}: is its renewal running?`), daysLeft };
}

function judgePage(
  host: string,
  { address, secure, plain, end }: Visit,
  isRight: boolean,
  { page, root }: ExpectedPages,
): Finding {
  const { ok, skip, warn, fail } = findingsOf('page');
  if (secure.status === 'failed' && plain.status === 'failed') {
    if (isIPv6(address) && NO_ROUTE.includes(secure.code))
      return skip(`${address} was not visited: this machine has no route to it (IPv6).`);
    return fail(describeFailure(address, plain.code === 'ECONNREFUSED' ? secure.code : plain.code));
  }
  if (end.redirect) return skip('The page was not compared, because of the redirect.');
  if (end.status === 'failed') return fail(`${end.url} failed (${end.code}).`);
  if (end.code !== 200) return fail(describeCode(end.code));
  if (!isRight && !page) {
    return fail('The served build has no page for it: run npm run build, and check that it succeeds.');
  }
  if (!isRight) return fail(describeOther(host, address, end.body, root));
  if (secure.status === 'failed') {
    return warn('The page equals the served build, but over http only: see its certificate.');
  }
  return ok('The page equals the served build.');
}

/** Of a page; undefined for other responses. */
function bodyOf(fetched: Fetched): Buffer | undefined {
  return fetched.status === 'response' && fetched.code === 200 ? fetched.body : undefined;
}

function describeOther(host: string, address: string, body: Buffer, root: Buffer | undefined): string {
  const own = /<link rel="canonical" href="(https?:\/\/[\w.:-]{1,260})[/"]/.exec(body.toString())?.[1];
  const url = own === undefined ? null : URL.parse(own);
  const forward = 'The proxy has to forward the Host header.';
  if (root?.equals(body)) return `It responds with the page of unknown hosts. ${forward}`;
  if (url === null) {
    return `${address} responds with a page that is not of this site: point the name to your server, and check the proxy.`;
  }
  if (isOfName(url, host)) {
    return 'It responds with its page, but of another build: run npm run build. If that does not help, a cache in front keeps or changes pages.';
  }
  return `It responds with the page of ${url.host}. ${forward}`;
}

function describeCode(code: number): string {
  if ([502, 503, 504].includes(code)) {
    return `It responds with ${code}: the proxy does not reach the product. Is it running, on the port that the proxy has?`;
  }
  if (code === 404)
    return 'It responds with 404: the proxy has to forward the Host header, and the build has to have the name.';
  return `It responds with ${code} instead of a page: see the log of the proxy.`;
}

function describeFailure(address: string, code: string): string {
  if (code === 'ECONNREFUSED')
    return `Nothing listens at ${address} for http or https: start the proxy, or correct the DNS record.`;
  if (code === 'TIMEOUT')
    return `${address} does not respond in time: is the DNS record right, the machine up, and do its firewalls allow http and https?`;
  return `Neither http nor https responds at ${address} (${code}).`;
}

function judgeRedirect(host: string, { secure, plain, end }: Visit): Finding[] {
  const { ok, warn, fail } = findingsOf('redirect');
  const remedy = 'Remove the redirect at the proxy or the registrar.';
  if (end.redirect) {
    const where = isOfName(end.redirect, host) ? 'in a circle, at last' : 'to another site:';
    return [fail(`It redirects ${where} ${end.redirect} ${remedy}`)];
  }
  if (secure.status === 'failed') return [];
  if (end.url.protocol === 'http:') return [fail(`https redirects back to ${end.url} ${remedy}`)];
  if (plain.status === 'failed') {
    return [
      warn(
        `http does not respond (${plain.code}): visitors who type http:// see nothing. Let the proxy redirect to https.`,
      ),
    ];
  }
  if (!plain.redirect) {
    return [warn(`http responds with ${plain.code} without a redirect: let the proxy redirect to https.`)];
  }
  if (!isOfName(plain.redirect, host))
    return [fail(`http redirects to another site: ${plain.redirect} ${remedy}`)];
  return [ok('http redirects to https.')];
}

/** One finding for what all addresses have in common; otherwise the address stands in the message. */
function mergeEqual(visited: readonly { address: string; findings: readonly Finding[] }[]): Finding[] {
  const all = visited.flatMap(({ address, findings }) => findings.map((finding) => ({ address, finding })));
  const groups = Map.groupBy(all, ({ finding: { check, message } }) => `${check} ${message}`);
  return [...groups.values()].flatMap((group) => {
    if (group.length === visited.length) return group.slice(0, 1).map(({ finding }) => finding);
    return group.map(({ address, finding }) =>
      finding.message.includes(address) ? finding : { ...finding, message: `${address}: ${finding.message}` },
    );
  });
}

/**
 * Judges TRUSTED_PROXIES. The product speaks plain http only: where its pages come over https, or over http on another
 * port than its own, a proxy is in front. How many proxies there are cannot be seen from here.
 * @param over how visitors' hosts responded with pages of the build
 */
export function checkProxies(
  { trustedProxies, port, supabase }: Pick<Settings, 'trustedProxies' | 'port' | 'supabase'>,
  httpPort: number,
  over: readonly ('https' | 'http')[],
): Finding {
  const { ok, skip, warn, fail } = findingsOf('proxies');
  if (supabase) return skip('Not checked, because no embedded backend runs here.');
  if (over.length === 0) return skip('Not checked, because no host responded with its page.');
  const isProxied = over.includes('https') || port !== httpPort;
  if (isProxied && trustedProxies === 0) {
    return fail(
      'A proxy is in front and TRUSTED_PROXIES is 0, so all visitors count as one: set TRUSTED_PROXIES=1.',
    );
  }
  if (!isProxied && trustedProxies > 0) {
    return warn(
      `TRUSTED_PROXIES is ${trustedProxies}, and visitors reach the product without a proxy: remove it.`,
    );
  }
  return ok(
    isProxied
      ? `A proxy is in front, and TRUSTED_PROXIES is ${trustedProxies}.`
      : 'No proxy is in front, and none is set.',
  );
}
