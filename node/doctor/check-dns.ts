import type { HostResult } from './check-host.ts';
import type { Addresses } from './dns-lookup.ts';
import { type Finding, findingsOf } from './finding.ts';
import type { Target } from './targets.ts';

export type Resolved = Pick<HostResult, 'target' | 'answer' | 'isReached'>;

const { ok, warn, fail } = findingsOf('dns');

/**
 * Compares where the hosts point.
 * @param own addresses of this machine
 */
export function checkDns(resolved: readonly Resolved[], own: ReadonlySet<string>): Finding[] {
  const usual = usualAddresses(resolved);
  return resolved.map((one) => ({ ...judge(one, own, usual), subject: one.target.host }));
}

/** @param usual where the other names point */
function judge(
  { target, answer, isReached }: Resolved,
  own: ReadonlySet<string>,
  usual: string | undefined,
): Finding {
  if (answer.status === 'failed') return fail(describeFailure(answer.code));
  if (answer.status !== 'found') return judgeAbsent(target, answer);
  const alias = answer.alias ? ` It is an alias (CNAME) of ${answer.alias}.` : '';
  const points = `Points to ${answer.addresses.join(', ')}`;
  if (answer.addresses.every((address) => own.has(address))) return ok(`${points} (this server).${alias}`);
  if (usual === undefined) return ok(`${points}.${alias}`);
  if (keyOf(answer.addresses) === usual) return ok(`${points}, like other names.${alias}`);
  // Each address responded with the right page: then it need not be like the others.
  if (isReached) return ok(`${points}, unlike other names.${alias}`);
  return warn(`${points}, but other names to ${usual}: correct the record unless that is meant.${alias}`);
}

function judgeAbsent(
  { name, isWww }: Target,
  { status, alias }: Extract<Addresses, { status: 'missing' | 'unknown' }>,
): Finding {
  const remedy = isWww
    ? `Add a CNAME record to ${name}, or the same A and AAAA records.`
    : 'Add an A record with the address of your server, and an AAAA record if it has IPv6.';
  if (alias) return fail(`It is an alias (CNAME) of ${alias}, which has no address. ${remedy}`);
  const judgeHost = isWww ? warn : fail;
  if (status === 'missing') return judgeHost(`It has neither an A nor an AAAA record. ${remedy}`);
  const registered = isWww ? '' : ' Is it registered, and has it a zone?';
  return judgeHost(`There is no such name in DNS (NXDOMAIN).${registered} ${remedy}`);
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
