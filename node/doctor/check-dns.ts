import type { Addresses } from './dns-lookup.ts';
import type { Finding } from './finding.ts';
import type { Target } from './targets.ts';

export interface Resolved {
  readonly target: Target;
  readonly answer: Addresses;
  /** Whether each of its addresses responded with the right page: then it need not be like the others. */
  readonly isReached: boolean;
}

/**
 * Compares where the hosts point.
 * @param own addresses of this machine
 */
export function checkDns(resolved: readonly Resolved[], own: ReadonlySet<string>): Finding[] {
  const usual = usualAddresses(resolved);
  return resolved.map((one) => ({ check: 'dns', subject: one.target.host, ...judge(one, own, usual) }));
}

type Judgement = Pick<Finding, 'status' | 'message'>;

/** @param usual where the other names point */
function judge(
  { target, answer, isReached }: Resolved,
  own: ReadonlySet<string>,
  usual: string | undefined,
): Judgement {
  if (answer.status === 'failed') return { status: 'fail', message: describeFailure(answer.code) };
  if (answer.status !== 'found') return judgeAbsent(target, answer);
  const alias = answer.alias ? ` It is an alias (CNAME) of ${answer.alias}.` : '';
  const points = `Points to ${answer.addresses.join(', ')}`;
  if (answer.addresses.every((address) => own.has(address))) {
    return { status: 'ok', message: `${points} (this server).${alias}` };
  }
  if (usual === undefined) return { status: 'ok', message: `${points}.${alias}` };
  if (keyOf(answer.addresses) === usual) {
    return { status: 'ok', message: `${points}, like other names.${alias}` };
  }
  if (isReached) return { status: 'ok', message: `${points}, unlike other names.${alias}` };
  return {
    status: 'warn',
    message: `${points}, but other names to ${usual}: correct the record unless that is meant.${alias}`,
  };
}

function judgeAbsent(
  { name, isWww }: Target,
  { status, alias }: Extract<Addresses, { status: 'missing' | 'unknown' }>,
): Judgement {
  const remedy = isWww
    ? `Add a CNAME record to ${name}, or the same A and AAAA records.`
    : 'Add an A record with the address of your server, and an AAAA record if it has IPv6.';
  if (alias) {
    return { status: 'fail', message: `It is an alias (CNAME) of ${alias}, which has no address. ${remedy}` };
  }
  const isUnknown = status === 'unknown';
  const what = isUnknown
    ? 'There is no such name in DNS (NXDOMAIN).'
    : 'It has neither an A nor an AAAA record.';
  const registered = isUnknown && !isWww ? ' Is it registered, and has it a zone?' : '';
  return { status: isWww ? 'warn' : 'fail', message: `${what}${registered} ${remedy}` };
}

/** Where most hosts point that share their addresses with another name; undefined where none do. */
function usualAddresses(resolved: readonly Resolved[]): string | undefined {
  const names = new Map<string, Set<string>>();
  for (const { target, answer } of resolved) {
    if (answer.status !== 'found') continue;
    const key = keyOf(answer.addresses);
    names.set(key, (names.get(key) ?? new Set()).add(target.name ?? target.host));
  }
  const [most] = [...names].sort(([, a], [, b]) => b.size - a.size);
  return most && most[1].size > 1 ? most[0] : undefined;
}

function keyOf(addresses: readonly string[]): string {
  return [...addresses].sort().join(', ');
}

function describeFailure(code: string): string {
  const reason: Record<string, string> = {
    ETIMEOUT: 'The DNS server did not respond in time (ETIMEOUT).',
    ECONNREFUSED: 'The DNS server cannot be reached (ECONNREFUSED).',
    ESERVFAIL:
      'The DNS server could not find out (SERVFAIL): a name server of the zone is down, or DNSSEC is wrong.',
    EREFUSED: 'The DNS server rejected the query (REFUSED).',
  };
  return `${reason[code] ?? `DNS failed (${code}).`} Run this again; if it stays, check the name servers at the registrar.`;
}
