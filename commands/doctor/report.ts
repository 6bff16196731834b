import { type Finding, STATUSES, type Status } from './finding.ts';

/** What `npm run doctor -- --json` prints. docs/doctor.md describes it. */
export interface Report {
  /** `fail` or `warn` where a finding is; otherwise `ok`. */
  readonly status: 'ok' | 'warn' | 'fail';
  /** ISO 8601. */
  readonly startedAt: string;
  readonly seconds: number;
  /** Names of the catalogue and hosts that were to be checked. */
  readonly names: number;
  readonly hosts: number;
  readonly counts: Readonly<Record<Status, number>>;
  readonly findings: readonly Finding[];
}

/** Hosts that a row of equal findings names; the rest is counted. */
const MAX_HOSTS = 5;

/** Rows of one check and status; the rest is counted. */
const MAX_ROWS = 20;

/** Longest cell, in characters: records and names come from other servers. */
const MAX_CELL = 1_000;

const HOST_CHECKS: readonly string[] = ['dns', 'certificate', 'page', 'redirect'];

export function reportOf(
  findings: readonly Finding[],
  size: { names: number; hosts: number },
  startedAt: Date,
  now = new Date(),
): Report {
  const counts = Object.fromEntries(
    STATUSES.map((status) => [status, findings.filter((finding) => finding.status === status).length]),
  ) as Record<Status, number>;
  return {
    status: counts.fail > 0 ? 'fail' : counts.warn > 0 ? 'warn' : 'ok',
    startedAt: startedAt.toISOString(),
    seconds: Math.round((now.getTime() - startedAt.getTime()) / 1000),
    ...size,
    counts,
    findings,
  };
}

/** One line for each row, the worst first, and a line that counts. */
export function renderTable({ findings, names, hosts, counts, seconds }: Report): string {
  const sorted = limitRows(joinEqual(joinGoodHosts(findings))).toSorted(
    (a, b) => STATUSES.indexOf(b.status) - STATUSES.indexOf(a.status),
  );
  const cells = sorted.map(({ status, check, subject = '', message }) =>
    [status, check, subject, message].map(oneLine),
  );
  const head = ['status', 'check', 'what', 'found'];
  const widths = [0, 1, 2].map((column) =>
    Math.max(...[head, ...cells].map((row) => row[column]?.length ?? 0)),
  );
  const lines = [head, ...cells].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const total =
    `${counts.fail} failed, ${counts.warn} ${counts.warn === 1 ? 'warning' : 'warnings'}, ${counts.ok} ok, ` +
    `${counts.skip} not checked (${names.toLocaleString('en-US')} names, ${hosts.toLocaleString('en-US')} hosts, ${seconds} s).`;
  return `${lines.join('\n')}\n\n${total}\n`;
}

/** One row for each host whose findings are all fine. */
function joinGoodHosts(findings: readonly Finding[]): Finding[] {
  const groups = Map.groupBy(findings, ({ check, subject }) =>
    HOST_CHECKS.includes(check) ? subject : undefined,
  );
  return [...groups].flatMap(([subject, group]): Finding[] => {
    if (subject === undefined || group.some(({ status }) => status !== 'ok')) return group;
    return [{ status: 'ok', check: 'host', subject, message: group.map(({ message }) => message).join(' ') }];
  });
}

/** One row for all hosts of which the same was found. */
function joinEqual(findings: readonly Finding[]): Finding[] {
  const groups = Map.groupBy(findings, (finding) =>
    [...HOST_CHECKS, 'host'].includes(finding.check)
      ? `${finding.status} ${finding.check} ${finding.message}`
      : finding,
  );
  return [...groups.values()].flatMap((group): Finding[] => {
    const [first] = group;
    if (group.length < 2 || !first) return group;
    const rest = group.length - MAX_HOSTS;
    const named = group.slice(0, MAX_HOSTS).map(({ subject }) => subject);
    const hosts = `${named.join(', ')}${rest > 0 ? ` and ${rest.toLocaleString('en-US')} more` : ''}`;
    const subject = `${group.length.toLocaleString('en-US')} hosts`;
    return [{ ...first, subject, message: `${first.message} (${hosts})` }];
  });
}

function limitRows(rows: readonly Finding[]): Finding[] {
  return [...Map.groupBy(rows, ({ check, status }) => `${check} ${status}`).values()].flatMap(
    (group): Finding[] => {
      const rest = group.length - MAX_ROWS;
      const [first] = group;
      if (rest <= 0 || !first) return group;
      const { status, check } = first;
      const message = `… and ${rest.toLocaleString('en-US')} more: see --json, or --name for one name.`;
      return [...group.slice(0, MAX_ROWS), { status, check, message }];
    },
  );
}

/** Messages of the catalogue have a line for each problem. Control and format characters could steer the terminal. */
function oneLine(text: string): string {
  const line = text.replaceAll(/\s*\n\s*/g, ' | ').replaceAll(/[\p{Cc}\p{Cf}]/gu, '\uFFFD');
  return line.length > MAX_CELL ? `${line.slice(0, MAX_CELL)} …` : line;
}
