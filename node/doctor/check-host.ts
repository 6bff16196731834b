import { isIPv6 } from 'node:net';
import { checkCertificate, isUnreachable } from './check-certificate.ts';
import { checkPage, checkRedirect, type ExpectedPages, isExpected } from './check-page.ts';
import type { Addresses } from './dns-lookup.ts';
import { type Finding, findingsOf } from './finding.ts';
import type { Target } from './targets.ts';
import { type Network, type Visit, visitHost } from './visit-host.ts';

export interface HostResult {
  readonly target: Target;
  readonly answer: Addresses;
  /** Without DNS, which is judged when all hosts are known. */
  readonly findings: readonly Finding[];
  /** Whether each address responded with the right page. */
  readonly isReached: boolean;
  /** How the right page was reached. */
  readonly over: ReadonlySet<'https' | 'http'>;
}

/** Addresses of one host that are visited. */
const MAX_ADDRESSES = 4;

/** Errors of a machine that has no IPv6 itself. */
const NO_ROUTE = ['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/**
 * Resolves a host and visits its addresses. Never throws.
 * @param readExpected of the build that is served at this moment
 */
export async function checkHost(
  target: Target,
  readExpected: (target: Target) => ExpectedPages,
  network: Network,
): Promise<HostResult> {
  const { host, path } = target;
  const before = readExpected(target);
  const answer = await network.lookup.addressesOf(host);
  const addresses = answer.status === 'found' ? answer.addresses.slice(0, MAX_ADDRESSES) : [];
  const visits = await Promise.all(addresses.map((address) => visitHost(host, address, path, network)));
  const after = readExpected(target);
  const [unreachable, reachable] = [visits.filter(lacksRoute), visits.filter((visit) => !lacksRoute(visit))];
  const judged = reachable.map((visit) => {
    // Another build may have gone live meanwhile.
    const expected = isExpected(visit.end.fetched, before) ? before : after;
    return { address: visit.address, findings: judge(host, visit, expected) };
  });
  const right = reachable.filter(
    ({ end }) => isExpected(end.fetched, before) || isExpected(end.fetched, after),
  );
  return {
    target,
    answer,
    findings: [
      ...mergeEqual(judged),
      ...unreachable.map(({ address }) =>
        findingsOf('page').skip(`${address} was not visited: this machine has no route to it (IPv6).`),
      ),
    ].map((finding) => ({ ...finding, subject: host })),
    isReached: reachable.length > 0 && right.length === reachable.length,
    over: new Set(right.map(({ secure }) => (secure.status === 'response' ? 'https' : 'http'))),
  };
}

function judge(host: string, visit: Visit, expected: ExpectedPages): Finding[] {
  const { secure, plain } = visit;
  const page = checkPage(host, visit, expected);
  const isSilent = secure.status === 'failed' && plain.status === 'failed' && !secure.certificate;
  // One finding is enough where nothing responds at all.
  if (isSilent && isUnreachable(secure.code)) return [page];
  const findings = [checkCertificate(host, secure), page, checkRedirect(host, visit)];
  return findings.filter((finding) => finding !== undefined);
}

function lacksRoute({ address, secure, plain }: Visit): boolean {
  const lacks = (fetched: Visit['secure']) => fetched.status === 'failed' && NO_ROUTE.includes(fetched.code);
  return isIPv6(address) && lacks(secure) && lacks(plain);
}

/** One finding for what all addresses have in common; otherwise the address stands before the message. */
function mergeEqual(visited: readonly { address: string; findings: readonly Finding[] }[]): Finding[] {
  const all = visited.flatMap(({ address, findings }) => findings.map((finding) => ({ address, finding })));
  const groups = Map.groupBy(all, ({ finding: { status, check, message } }) =>
    [status, check, message].join('\n'),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    if (group.length === visited.length) return [first.finding];
    return group.map(({ address, finding }) => ({ ...finding, message: `${address}: ${finding.message}` }));
  });
}
