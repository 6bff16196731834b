/**
 * Reads and changes the owner's catalogue for the dashboard. A change is stored in the database first, which decides who may
 * make it, and then written: one that a kill or an error came between is carried out at the next start, or taken back.
 */
import type { Arguments, Returned } from '#contract/calls.ts';
import {
  MAX_NAME_VALUE,
  type NameChange,
  type NamesPlan,
  type NamesRead,
  type NamesRequest,
  type NamesSaved,
} from '#contract/names.ts';
import type { Io } from '../../process/command.ts';
import { UserError } from '../../process/user-error.ts';
import { publicationOf } from '../../site-builder/built-site/publication.ts';
import { catalogueFile, isSample, ownCatalogue } from '../../src/catalogue/catalogue-file.ts';
import { shownPath } from '../../src/catalogue/describe-problems.ts';
import { CatalogueError, loadCatalogue } from '../../src/catalogue/load.ts';
import { createCatalogue } from '../catalogue-edits/create-catalogue.ts';
import { editCatalogue } from '../catalogue-edits/edit-catalogue.ts';
import { CatalogueLocked, lockCatalogue } from '../catalogue-edits/lock-catalogue.ts';
import {
  CatalogueChanged,
  OnlySample,
  type OwnerCatalogue,
  readOwnerCatalogue,
  saveCatalogue,
} from '../catalogue-edits/owner-catalogue.ts';
import { checkEdits, type Edits, editsOf, foundValues, hasName, valuesOf } from './name-fields.ts';
import { NamesRejected } from './name-rejection.ts';
import { planList } from './pasted-list.ts';
import { commandFor, whyReadOnly } from './server-command.ts';

/** How long a command may still hold the lock, in milliseconds. */
const LOCK_TIMEOUT_MS = 5_000;
const SQLITE_FULL = 13;
/** May be an anchor, whose value other entries use. Editing 10,000 entries takes seconds, so only such a file is edited twice. */
const ANCHOR = /(?:^|[\s,[{])&[^\s,[\]{}]/m;

type NamesCall = 'change_names' | 'name_history' | 'mark_name_changes' | 'read_open_name_changes';

/** Calls of the database: those of administrators with the token of the request. @throws NamesRejected */
export type CallNames = <Name extends NamesCall>(
  name: Name,
  args: Arguments<Name>,
) => Promise<Returned<Name>>;

export interface NamesContext {
  readonly io: Io;
  readonly call: CallNames;
  /** ADMIN_HOST. */
  readonly adminHost: string | undefined;
}

/** A row of the history. */
type StoredRow = Pick<NameChange, 'name' | 'field'> & { readonly id: number };
type Request<Action extends NamesRequest['action']> = Extract<NamesRequest, { action: Action }>;
/** What the response has besides the build. */
type Body<Response> = Omit<Response, 'build'>;

export function readNames({ names }: Request<'read'>, { io }: NamesContext): Body<NamesRead> {
  const file = catalogueFile(io);
  const shared = { shown: shownPath(file, io.cwd()), max_description: MAX_NAME_VALUE };
  if (isSample(file, io)) {
    const { languages } = readable(() => loadCatalogue(file, io.cwd())).settings;
    return { ...shared, file: 'sample', languages, names: {} };
  }
  const target = readTarget(io);
  const readOnly = whyReadOnly(target.file, io.cwd());
  return {
    ...shared,
    file: readOnly ? 'read_only' : 'own',
    ...readOnly,
    languages: target.catalogue.settings.languages,
    names: valuesOf(names, target),
  };
}

export function planNames({ text }: Request<'plan'>, { io, adminHost }: NamesContext): NamesPlan {
  return planList(text, readTarget(io), adminHost).plan;
}

export async function addNames(
  { batch, text, plan: id }: Request<'add'>,
  context: NamesContext,
): Promise<Body<NamesSaved>> {
  return await changeOnce(batch, context, (target) => {
    const { plan, edits } = planList(text, target, context.adminHost);
    if (plan.id !== id) throw new NamesRejected('plan_changed', { body: { plan } });
    const rows: NameChange[] = [
      ...plan.added.map(({ name, price }) => ({ name, field: 'entry', from: null, to: price })),
      ...plan.changed.map((change) => ({ ...change, field: 'price' })),
    ];
    return { rows, edits };
  });
}

export async function changeNames(
  { batch, changes: given }: Request<'change'>,
  context: NamesContext,
): Promise<Body<NamesSaved>> {
  // White space around a value does not count in the file: what is stored is compared with it.
  const changes = given.map((change) => ({ ...change, to: change.to?.trim() ?? null }));
  /** @throws NamesRejected where the file has other values than before or after the changes */
  const assertValues = (side: 'from' | 'to', target: OwnerCatalogue) => {
    const found = foundValues(changes, target);
    const changed = changes.flatMap(({ name, field, [side]: expected }, index) => {
      const value = found[index] ?? null;
      return value === expected ? [] : [{ name, field, value }];
    });
    if (changed.length > 0) throw new NamesRejected('changed', { body: { changed } });
  };
  const make = (target: OwnerCatalogue) => {
    const edits = editsOf(changes, target);
    assertValues('from', target);
    return { rows: changes.filter(({ from, to }) => from !== to), edits };
  };
  return await changeOnce(batch, context, make, (target) => assertValues('to', target));
}

/** Makes the owner's catalogue from the sample. */
export async function initCatalogue({ io }: NamesContext): Promise<Body<NamesSaved>> {
  return await withLock(io, () => {
    const shown = shownPath(ownCatalogue(io), io.cwd());
    if (!isSample(catalogueFile(io), io)) throw new NamesRejected('own_catalogue', { values: { shown } });
    const readOnly = whyReadOnly(ownCatalogue(io), io.cwd());
    if (readOnly) throw readOnlyRejection(readOnly, `${readOnly.command} init`);
    try {
      createCatalogue(io);
    } catch (error) {
      throw notWritten(error, shown);
    }
    return { saved_at: new Date().toISOString() };
  });
}

/**
 * Carries out what the database has stored and the file may lack, after a kill or without a database in between: only where the
 * file still has the former value. Otherwise the file wins.
 * @returns the batches that were written
 */
export async function carryOutOpenChanges(context: NamesContext): Promise<string[]> {
  return await withLock(context.io, () => settleOpenChanges(context));
}

async function settleOpenChanges({ io, call }: NamesContext): Promise<string[]> {
  const rows = await call('read_open_name_changes', {});
  if (rows.length === 0) return [];
  const target = readTarget(io);
  const found = foundValues(rows, target);
  /** What each field has once the rows before are carried out, by name and field. */
  const now = new Map<string, string | null>();
  const steps = rows.map((row, index) => {
    const key = `${row.name} ${row.field}`;
    const value = (now.has(key) ? now.get(key) : found[index]) ?? null;
    const step = stepOf(row, value, hasName(row.name, target));
    if (step === 'write') now.set(key, row.to);
    return { row, step, found: found[index] ?? null };
  });
  const toWrite = steps.flatMap(({ row, step }) => (step === 'write' ? [row] : []));
  const isWritten = toWrite.length === 0 || tryToWrite(toWrite, target, io);
  const isDone = ({ step }: (typeof steps)[number]) => step === 'done' || (step === 'write' && isWritten);
  await call('mark_name_changes', {
    written: steps.filter(isDone).map(({ row }) => row.id),
    dropped: steps.filter((one) => !isDone(one)).map(({ row: { id }, found }) => ({ id, found })),
  });
  return isWritten ? [...new Set(toWrite.map(({ batch }) => batch))] : [];
}

function stepOf(
  { field, from, to }: Pick<NameChange, 'field' | 'from' | 'to'>,
  now: string | null,
  isThere: boolean,
): 'done' | 'write' | 'drop' {
  if (field === 'entry') return isThere ? 'done' : 'write';
  if (!isThere) return 'drop';
  if (now === to) return 'done';
  return now === from ? 'write' : 'drop';
}

/** Whether the file has them now. It may be read-only, or have other values with which these are wrong. */
function tryToWrite(rows: readonly NameChange[], target: OwnerCatalogue, io: Io): boolean {
  try {
    const edits = editsOf(
      rows.filter(({ field }) => field !== 'entry'),
      target,
    );
    const entries = rows.filter(({ field }) => field === 'entry');
    const add = entries.map(({ name, to: price }) => ({ name, ...(price !== null && { price }) }));
    writeEdits({ ...edits, add }, target, io);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param make compares what was seen with the file, and returns what is to be stored and written
 * @param assertThere throws where the file has something else than a batch that was written before
 */
async function changeOnce(
  batch: string,
  context: NamesContext,
  make: (target: OwnerCatalogue) => { rows: NameChange[]; edits: Edits },
  assertThere: (target: OwnerCatalogue) => void = () => {},
): Promise<Body<NamesSaved>> {
  const { io, call } = context;
  return await withLock(io, async () => {
    const earlier = await call('name_history', { batch });
    const isOpen = earlier.some(({ written_at, dropped_at }) => written_at === null && dropped_at === null);
    if (earlier.length > 0 && !isOpen) {
      const saved = savedBefore(batch, earlier);
      assertThere(readTarget(io));
      return saved;
    }
    await settleOpenChanges(context);
    if (isOpen) return savedBefore(batch, await call('name_history', { batch }));
    const target = readTarget(io);
    const { rows, edits } = make(target);
    if (rows.length === 0) throw new NamesRejected('nothing_to_do');
    const readOnly = whyReadOnly(target.file, io.cwd());
    if (readOnly)
      throw readOnlyRejection(readOnly, commandFor(rows, readOnly.command, target.file, io.cwd()));
    if (ANCHOR.test(target.text)) tryEdits(edits, target);
    const stored = await call('change_names', { batch, changes: withListings(rows, edits, target) });
    if (stored.outcome === 'changed')
      throw new NamesRejected('changed', { body: { changed: stored.changed } });
    if (stored.outcome === 'limited')
      throw new NamesRejected('too_many_changes', { retryAfter: stored.wait });
    const marked = rows.map(({ name, field }, index) => ({ name, field, id: stored.ids[index] as number }));
    try {
      writeEdits(edits, target, io);
    } catch (error) {
      throw await takeBack(error, marked, target, { io, call });
    }
    // A row that stays open is marked at the next start, because the file has it.
    await call('mark_name_changes', { written: stored.ids, dropped: [] }).catch(() => undefined);
    return { batch, saved_at: new Date().toISOString() };
  });
}

/** The result of a batch whose response was lost. */
function savedBefore(batch: string, rows: Returned<'name_history'>): Body<NamesSaved> {
  if (rows.some(({ dropped_at }) => dropped_at !== null)) throw new NamesRejected('dropped');
  const times = rows.map(({ written_at }) => written_at);
  const [saved_at] = times;
  if (times.includes(null) || typeof saved_at !== 'string') throw new NamesRejected('unavailable');
  return { batch, saved_at };
}

/** Changes as the database takes them, with what the pages of each name will have. */
function withListings(
  rows: readonly NameChange[],
  edits: Edits,
  target: OwnerCatalogue,
): Arguments<'change_names'>['changes'] {
  const checked = checkEdits(edits, target);
  const listings = new Map(publicationOf(checked, '').entries.map((entry) => [entry.name, entry]));
  return rows.map((row) => {
    const listing = listings.get(row.name);
    if (!listing || !['state', 'price', 'minimum'].includes(row.field)) return row;
    const { state, price = null, value = null, currency = null, minimum = null } = listing;
    // A minimum may be a share of the price, and the currency may be its own.
    return { ...row, listing: row.field === 'state' ? { state } : { price, value, currency, minimum } };
  });
}

/** @throws NamesRejected where other entries use a value that would go */
function tryEdits(edits: Edits, target: OwnerCatalogue): void {
  try {
    editCatalogue(target.shown, target.text, edits);
  } catch (error) {
    if (error instanceof UserError)
      throw new NamesRejected('not_possible', { values: { problem: error.message } });
    throw error;
  }
}

function writeEdits(edits: Edits, target: OwnerCatalogue, io: Io): void {
  saveCatalogue(target, editCatalogue(target.shown, target.text, edits).text, io);
}

/** Marks rows as dropped, with what the file has. @returns why */
async function takeBack(
  error: unknown,
  rows: readonly StoredRow[],
  target: OwnerCatalogue,
  { io, call }: Pick<NamesContext, 'io' | 'call'>,
): Promise<NamesRejected> {
  let found: (string | null)[] = [];
  try {
    found = foundValues(rows, readOwnerCatalogue(io));
  } catch {
    found = foundValues(rows, target);
  }
  const dropped = rows.map(({ id }, index) => ({ id, found: found[index] ?? null }));
  const isMarked = await call('mark_name_changes', { written: [], dropped }).then(
    () => true,
    () => false,
  );
  // The next start, or the next change, carries it out.
  if (!isMarked) return new NamesRejected('stored_only', { values: { shown: target.shown } });
  if (!(error instanceof CatalogueChanged)) return notWritten(error, target.shown);
  const changed = rows.map(({ name, field }, index) => ({ name, field, value: found[index] ?? null }));
  return new NamesRejected('changed', { body: { changed } });
}

/** Of the lock. */
interface SqliteError {
  readonly errcode?: number;
  readonly errstr?: string;
}

function readOnlyRejection({ problem }: { problem: string }, command: string): NamesRejected {
  return new NamesRejected('read_only', { values: { problem }, body: { command } });
}

function notWritten(error: unknown, shown: string): NamesRejected {
  const { code, message, errcode, errstr } = error as NodeJS.ErrnoException & SqliteError;
  if (code === 'ENOSPC' || code === 'EDQUOT' || errcode === SQLITE_FULL)
    return new NamesRejected('disk_full');
  return new NamesRejected('not_written', { values: { shown, reason: errstr ?? code ?? message } });
}

function readTarget(io: Io): OwnerCatalogue {
  return readable(() => readOwnerCatalogue(io));
}

function readable<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof OnlySample) throw new NamesRejected('sample');
    if (error instanceof CatalogueError)
      throw new NamesRejected('wrong_catalogue', { values: { problem: error.message } });
    throw error;
  }
}

async function withLock<Result>(io: Io, act: () => Result | Promise<Result>): Promise<Result> {
  let release: () => void;
  try {
    release = await lockCatalogue(io.cwd(), LOCK_TIMEOUT_MS);
  } catch (error) {
    if (error instanceof CatalogueLocked) throw new NamesRejected('locked');
    throw notWritten(error, '.astro/catalogue.lock');
  }
  try {
    return await act();
  } finally {
    release();
  }
}
