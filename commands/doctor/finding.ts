/** Severities, mildest first. `skip`: not checked, for the reason in the message. */
export const STATUSES = ['ok', 'skip', 'warn', 'fail'] as const;
export type Status = (typeof STATUSES)[number];

/** What a check found. */
export interface Finding {
  readonly status: Status;
  /** Such as `certificate`; docs/doctor.md lists them. */
  readonly check: string;
  /** The host name, email domain or folder that was checked; absent where there is only one. */
  readonly subject?: string;
  /** What was found and, unless it is fine, what to do. */
  readonly message: string;
  /** Of a certificate, rounded down; negative after its end. */
  readonly daysLeft?: number;
}

/** Makes the findings of one check: a function for each status. */
export function findingsOf(check: string): Record<Status, (message: string) => Finding> {
  const as = (status: Status) => (message: string) => ({ status, check, message });
  return { ok: as('ok'), skip: as('skip'), warn: as('warn'), fail: as('fail') };
}
