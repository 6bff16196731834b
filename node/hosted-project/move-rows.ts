/** Moves what happened in another database of this product to a hosted project. A second run continues. */
import * as z from 'zod/mini';
import { UserError } from '../config/user-error.ts';
import { createAccount, findAccount, findAccountById, readRows } from './administrators.ts';
import { callFor, type HostedProject } from './project.ts';

/** In this order, because rows refer to rows before them. */
export const MOVED_KINDS = [
  'erased_offers',
  'offers',
  'offer_messages',
  'offer_receipts',
  'offer_status_changes',
  'erasures',
  'messages',
] as const;
export type MovedKind = (typeof MOVED_KINDS)[number];

export interface MoveSource {
  /** Accounts of administrators and of those who changed the status of an offer. */
  readAccounts(): Promise<{ id: string; email: string; isAdministrator: boolean }[]>;
  /** A part of the rows of a kind; `next` is passed as `after` for the following part, null at the end. */
  readRows(
    kind: MovedKind,
    after: string | null,
  ): Promise<{ rows: Record<string, unknown>[]; next: string | null; total: number }>;
}

export interface MovedCount {
  readonly kind: MovedKind;
  /** Rows here, those of them that are in the project with the same content, and all rows there. */
  readonly here: number;
  readonly there: number;
  /** Rows here that were left out, because their offer was erased there. */
  readonly erased: number;
  readonly total: number;
}

const ReceivedSchema = z.object({ present: z.number(), erased: z.number(), total: z.number() });

/**
 * Makes the accounts, without their passwords. Those that the project has, by id (also where the email has changed since
 * the last run) or by email, are used as they are: an administrator removed there since the last run is not appointed again.
 * @returns the ids there by the ids here, and the emails of administrators: those appointed now, and those who are none there
 */
export async function moveAccounts(
  source: MoveSource,
  project: HostedProject,
): Promise<{ ids: Map<string, string>; appointed: string[]; notAppointed: string[] }> {
  const ids = new Map<string, string>();
  const appointed: string[] = [];
  const notAppointed: string[] = [];
  const there = new Set((await readRows(project)).map(({ user_id }) => user_id));
  for (const { id, email, isAdministrator } of await source.readAccounts()) {
    const found = (await findAccountById(project, id)) ?? (await findAccount(project, email));
    const account = found ?? (await createAccount(project, email, undefined, id));
    ids.set(id, account.id);
    if (!isAdministrator || there.has(account.id)) continue;
    if (found) notAppointed.push(found.email);
    else {
      await project.call('appoint_administrator', { user_id: account.id });
      appointed.push(email);
    }
  }
  return { ids, appointed, notAppointed };
}

/** Moves the rows of one kind, and counts them on both sides. @param ids of accounts, of moveAccounts */
export async function moveRows(
  kind: MovedKind,
  source: MoveSource,
  project: HostedProject,
  ids: ReadonlyMap<string, string>,
): Promise<MovedCount> {
  let there = 0;
  let erased = 0;
  for (let after: string | null = null; ; ) {
    const { rows, next, total: here } = await source.readRows(kind, after);
    const mapped = rows.map((row) =>
      typeof row.changed_by === 'string'
        ? { ...row, changed_by: ids.get(row.changed_by) ?? row.changed_by }
        : row,
    );
    const received = await callFor(project, ReceivedSchema, 'receive_rows', { kind, rows: mapped });
    there += received.present;
    erased += received.erased;
    if (next === null) return { kind, here, there, erased, total: received.total };
    after = next;
  }
}

/** @throws UserError naming every kind whose counts differ */
export function assertMoved(counts: readonly MovedCount[]): void {
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
 * Counts the rows here again: other commands (`erase`) use the database during a move.
 * @throws UserError naming every kind of which rows came or went
 */
export async function assertUnchanged(counts: readonly MovedCount[], source: MoveSource): Promise<void> {
  const lines: string[] = [];
  for (const { kind, here } of counts) {
    const { total } = await source.readRows(kind, null);
    if (total !== here) lines.push(`  ${kind}: ${here} before, ${total} now`);
  }
  if (lines.length === 0) return;
  throw new UserError(
    `Rows came or went here during the move:\n${lines.join('\n')}\nNothing is lost: run this again, and nothing else beside it.`,
  );
}
