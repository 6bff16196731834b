/** Transfers what happened from one project to another: from the embedded database to a hosted one. A second run continues. */
import type { Returned } from '#contract/calls.ts';
import { UserError } from '../../process/user-error.ts';
import { createAccount, isSame, readAccounts, readRows } from '../../server/backend-client/administrators.ts';
import type { Project } from '../../server/backend-client/project.ts';

/** In this order, because rows refer to rows before them. */
export const TRANSFERRED_KINDS = [
  'erased_offers',
  'offers',
  'offer_messages',
  'idempotency_keys',
  'offer_status_changes',
  'erasures',
  'messages',
  'offer_moves',
  'offer_links',
  'erased_references',
  'deals',
  'name_changes',
  'name_numbers',
] as const;
type TransferredKind = (typeof TRANSFERRED_KINDS)[number];

export interface TransferCount {
  readonly kind: TransferredKind;
  /** Rows here, those of them that are in the project with the same content, and all rows there. */
  readonly here: number;
  readonly there: number;
  /** Rows here that were left out, because their offer was erased there. */
  readonly erased: number;
  readonly total: number;
}

/**
 * Makes the accounts with their ids, without their passwords. Those that the project has, by id (also where the email has
 * changed since the last run) or by email, are used as they are: an administrator removed there since the last run is not
 * granted again.
 * @returns the ids there by the ids here, and the emails of administrators: those granted now, and those who are none there
 */
export async function transferAccounts(
  from: Project,
  to: Project,
): Promise<{ ids: Map<string, string>; granted: string[]; notGranted: string[] }> {
  const [administrators, accounts] = [await readRows(from), await readAccounts(from)];
  const [administratorsThere, accountsThere] = [await readRows(to), await readAccounts(to)];
  // In the order in which they were granted.
  const first = administrators.map(({ user_id, email }) => ({ id: user_id, email }));
  const others = accounts.filter(({ id }) => !first.some((one) => one.id === id));
  const transferred = { ids: new Map<string, string>(), granted: [] as string[], notGranted: [] as string[] };
  for (const { id, email } of [...first, ...others]) {
    const found =
      accountsThere.find((one) => one.id === id) ?? accountsThere.find((one) => isSame(one.email, email));
    const account = found ?? (await createAccount(to, email, undefined, id));
    transferred.ids.set(id, account.id);
    const isAdministrator = first.some((one) => one.id === id);
    if (!isAdministrator || administratorsThere.some(({ user_id }) => user_id === account.id)) continue;
    if (found) transferred.notGranted.push(found.email);
    else {
      await to.call('grant_administrator', { user_id: account.id });
      transferred.granted.push(email);
    }
  }
  return transferred;
}

/** Transfers the rows of one kind, and counts them on both sides. @param ids of accounts, of transferAccounts */
export async function transferRows(
  kind: TransferredKind,
  from: Project,
  to: Project,
  ids: ReadonlyMap<string, string>,
): Promise<TransferCount> {
  let there = 0;
  let erased = 0;
  for (let after: string | null = null; ; ) {
    const { rows, next, total: here } = await readPage(from, kind, after);
    const idThere = (id: unknown) => ids.get(String(id)) ?? id;
    const mapped = rows.map(({ changed_by, changes, ...row }) => ({
      ...row,
      ...(changed_by !== undefined && { changed_by: idThere(changed_by) }),
      // Of a deal.
      ...(Array.isArray(changes) && { changes: changes.map((one) => ({ ...one, by: idThere(one.by) })) }),
    }));
    const received = await to.call('receive_rows', { kind, rows: mapped });
    there += received.present;
    erased += received.erased;
    if (next === null) return { kind, here, there, erased, total: received.total };
    after = next;
  }
}

async function readPage(
  from: Project,
  kind: TransferredKind,
  after: string | null,
): Promise<Returned<'read_rows'>> {
  return await from.call('read_rows', { kind, after });
}

/** @throws UserError naming every kind whose counts differ */
export function assertTransferred(counts: readonly TransferCount[]): void {
  const wrong = counts.filter(({ here, there, erased }) => here !== there + erased);
  if (wrong.length === 0) return;
  const lines = wrong.map(({ kind, here, there }) => `  ${kind}: ${here} here, ${there} of them there`);
  throw new UserError(
    `Not everything is in the project:\n${lines.join('\n')}\nRows with the same id and other content, such as another ` +
      'status, stay as they are there. Keep the data folder. Run this again; if the same counts differ, compare an ' +
      'export of both sides.',
  );
}

/**
 * Counts the rows here again: other commands (`erase`) use the database during a transfer.
 * @throws UserError naming every kind of which rows came or went
 */
export async function assertUnchanged(counts: readonly TransferCount[], from: Project): Promise<void> {
  const lines: string[] = [];
  for (const { kind, here } of counts) {
    const { total } = await readPage(from, kind, null);
    if (total !== here) lines.push(`  ${kind}: ${here} before, ${total} now`);
  }
  if (lines.length === 0) return;
  throw new UserError(
    `Rows came or went here during the transfer:\n${lines.join('\n')}\nNothing is lost: run this again, and nothing else beside it.`,
  );
}
