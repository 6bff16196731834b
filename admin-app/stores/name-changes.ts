/** Changes of names: sent at once, followed until the pages show them, and the page's last one can be undone. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { Build, NameChange, NameValues } from '#contract/names.ts';
import { type CatalogueApi, CatalogueRejection } from '../api/catalogue.ts';
import {
  changesOf,
  FOR_SALE,
  fieldText,
  hasUnknownDefault,
  type NameDraft,
  type NameField,
  savedValue,
  valuesAfter,
  withValue,
} from './name-values.ts';
import type { ListedName, NamesStore } from './names.ts';
import type { SessionCache } from './session-cache.ts';

/** How a change of a name stands. */
export type Save =
  | { status: 'saving'; batch: string }
  /** The pages do not show it yet: see the build. */
  | { status: 'saved'; batch: string; at: string }
  /** The pages show it. */
  | { status: 'live'; batch: string; at: string }
  | {
      status: 'failed';
      message: string;
      /** Messages by field. */
      problems: Readonly<Record<NameField, string>>;
      /** Values that others have set meanwhile, by field. */
      meanwhile: Readonly<Record<NameField, string | null>>;
      /** Does the same on the server. */
      command?: string | undefined;
    };

/** A change that can be undone. */
export interface LastChange {
  readonly batch: string;
  readonly changes: readonly NameChange[];
}

const SAVE_FAILURE = 'Failed to save. Please try again.';
const INVALID = 'Nothing was saved: please correct what is marked.';
const CHANGED_MEANWHILE =
  'Nothing was saved: this was changed in the meantime. Save again to replace the new value.';

/** Time between two readings of the build, in milliseconds: while one is to come, and where none is. */
const BUILD_POLL_MS = 1_500;
const STOPPED_BUILD_POLL_MS = 15_000;

/** How long a row says that its change is live, in milliseconds. */
export const LIVE_SHOWN_MS = 60_000;

export function createNameChanges(
  api: Pick<CatalogueApi, 'change' | 'readBuild'>,
  { listedName, showNames, showValues }: Pick<NamesStore, 'listedName' | 'showNames' | 'showValues'>,
  { client, sessionAtom }: SessionCache,
) {
  /** By name, so that a row that is scrolled off the page keeps it. */
  const $drafts = sessionAtom<Readonly<Record<string, NameDraft>>>({});
  /** By name. */
  const $saves = sessionAtom<Readonly<Record<string, Save>>>({});
  const $lastChange = sessionAtom<LastChange | undefined>(undefined);
  /** The batch of changes whose response was lost, by these changes: the same one again changes nothing twice. */
  const unanswered = new Map<string, string>();

  const buildQuery = queryOptions({
    queryKey: ['names', 'build'],
    queryFn: async ({ signal }): Promise<Build> => {
      const build = await api.readBuild(signal);
      followBuild(build);
      return build;
    },
    refetchInterval: ({ state: { data } }) => {
      if (!data || data.changes.length === 0) return false;
      return data.status === 'building' || data.status === 'waiting' ? BUILD_POLL_MS : STOPPED_BUILD_POLL_MS;
    },
    refetchOnWindowFocus: true,
    staleTime: Number.POSITIVE_INFINITY,
  });

  /** Marks the changes that the pages show by now, for a minute. */
  function followBuild({ live }: Build): void {
    const saves = Object.entries($saves.get());
    const shown = saves.filter(([, save]) => save.status === 'saved' && live.includes(save.batch));
    if (shown.length === 0) return;
    const marked = shown.map(([name, save]) => [name, { ...save, status: 'live' }] as [string, Save]);
    $saves.set({ ...$saves.get(), ...Object.fromEntries(marked) });
    setTimeout(() => forget(marked), LIVE_SHOWN_MS);
  }

  function forget(marked: readonly [string, Save][]): void {
    const gone = new Set(marked.flatMap(([name, save]) => ($saves.get()[name] === save ? [name] : [])));
    $saves.set(Object.fromEntries(Object.entries($saves.get()).filter(([name]) => !gone.has(name))));
  }

  const changeNames = mutationOptions({
    meta: { failure: 'Failed to change names' },
    mutationFn: ({ batch, changes }: LastChange & { isUndo?: boolean }) => api.change(batch, changes),
    onSuccess: ({ saved_at, build }, { batch, changes, isUndo = false }) => {
      forgetUnanswered(changes);
      // Of a session that has ended.
      if (!isMarked(changes, batch)) return;
      mark(changes, { status: 'saved', batch, at: saved_at });
      $lastChange.set(isUndo ? undefined : { batch, changes });
      show(changes);
      client.setQueryData(buildQuery.queryKey, build);
      followBuild(build);
      void client.invalidateQueries({ queryKey: ['names', 'counts'] });
      void client.invalidateQueries({ queryKey: ['names', 'history'] });
      void client.invalidateQueries({ queryKey: ['names', 'values'] });
    },
    onError: (error, { batch, changes, isUndo = false }) => {
      const isRejected = error instanceof CatalogueRejection;
      if (isRejected) unanswered.delete(JSON.stringify(changes));
      if (!isMarked(changes, batch)) return;
      // The same press tries again.
      if (isUndo && !isRejected && !$lastChange.get()) $lastChange.set({ batch, changes: reversed(changes) });
      for (const name of namesOf(changes)) markFailed(name, error);
    },
  });

  /** Once a field was changed again, the same change as before is another one: that may have been stored. */
  function forgetUnanswered(changes: readonly NameChange[]): void {
    const changed = new Set(changes.map(fieldKey));
    for (const key of unanswered.keys())
      if ((JSON.parse(key) as NameChange[]).some((one) => changed.has(fieldKey(one)))) unanswered.delete(key);
  }

  function mark(changes: readonly NameChange[], save: Save): void {
    $saves.set({
      ...$saves.get(),
      ...Object.fromEntries([...namesOf(changes)].map((name) => [name, save])),
    });
  }

  function isMarked(changes: readonly NameChange[], batch: string): boolean {
    const save = $saves.get()[changes[0]?.name ?? ''];
    return save?.status === 'saving' && save.batch === batch;
  }

  function markFailed(name: string, error: Error): void {
    const {
      code,
      changed = [],
      problems = [],
      command,
    } = error instanceof CatalogueRejection ? error.rejection : { code: '' };
    const own = problems.filter((problem) => problem.name === name && problem.field !== undefined);
    const others = problems.filter((problem) => !own.includes(problem) && problem.name === undefined);
    const meanwhile = changed.filter((each) => each.name === name);
    const message = [
      meanwhile.length > 0 ? CHANGED_MEANWHILE : own.length > 0 ? INVALID : '',
      ...others.map((problem) => problem.message),
    ].filter(Boolean);
    const isOther = code === 'changed' || code === 'invalid';
    $saves.set({
      ...$saves.get(),
      [name]: {
        status: 'failed',
        message:
          message.join(' ') || (isOther ? otherFailure(changed, problems) : error.message) || SAVE_FAILURE,
        problems: Object.fromEntries(own.map(({ field, message }) => [field, message])),
        meanwhile: Object.fromEntries(meanwhile.map(({ field, value }) => [field, value])),
        command,
      },
    });
    for (const { field, value } of meanwhile) {
      const seen = { value, is_default: value === null };
      const draft = $drafts.get()[name];
      if (draft) setDraft(name, { ...draft, seen: withValue(draft.seen, field, seen) });
      showListed(name, field, value);
    }
    if (meanwhile.length === 0) return;
    for (const about of ['file', 'values']) void client.invalidateQueries({ queryKey: ['names', about] });
  }

  /** Shows what was saved, in the row and in the fields, and keeps what was typed since. */
  function show(changes: readonly NameChange[]): void {
    const byName = new Map(
      [...namesOf(changes)].map((name) => [name, changes.filter((change) => change.name === name)]),
    );
    // Before the drafts: a field without one shows these.
    showValues(byName);
    for (const [name, own] of byName) {
      for (const { field, to } of own) showListed(name, field, to);
      const draft = $drafts.get()[name];
      if (draft) setDraft(name, { seen: valuesAfter(draft.seen, own), typed: typedSince(draft.typed, own) });
    }
    // A value of `defaults` counts now.
    if (hasUnknownDefault(changes)) void client.invalidateQueries({ queryKey: ['names', 'file'] });
  }

  function showListed(name: string, field: NameField, to: string | null): void {
    if (!listedName(name)) return;
    const shown: Partial<ListedName> | undefined =
      field === 'state'
        ? { state: to ?? FOR_SALE }
        : field === 'price' && to !== null
          ? { price: to }
          : undefined;
    if (shown) showNames(new Map([[name, shown]]));
  }

  /** Sends changes, at most `MAX_NAME_CHANGES`. Rows show the result. @returns whether they are saved */
  async function send(changes: readonly NameChange[], isUndo = false): Promise<boolean> {
    const key = JSON.stringify(changes);
    const batch = unanswered.get(key) ?? newBatch();
    unanswered.set(key, batch);
    mark(changes, { status: 'saving', batch });
    return client
      .getMutationCache()
      .build(client, changeNames)
      .execute({ batch, changes, isUndo })
      .then(
        () => true,
        () => false,
      );
  }

  function type(name: string, seen: NameValues, field: NameField, text: string): void {
    const draft = $drafts.get()[name] ?? { seen, typed: {} };
    setDraft(name, { ...draft, typed: { ...draft.typed, [field]: text } });
  }

  /** A draft without a difference is none: the values that are read next count. */
  function setDraft(name: string, draft: NameDraft | undefined): void {
    const { [name]: _, ...others } = $drafts.get();
    const isKept =
      draft && Object.entries(draft.typed).some(([field, text]) => text !== fieldText(draft.seen, field));
    $drafts.set(isKept ? { ...others, [name]: draft } : others);
  }

  /** Drops what was typed, and the error about it. */
  function discard(name: string): void {
    setDraft(name, undefined);
    const { [name]: save, ...others } = $saves.get();
    if (save?.status === 'failed') $saves.set(others);
  }

  return {
    $drafts,
    $saves,
    $lastChange,
    buildQuery,
    send,
    type,
    discard,

    /** Saves what was typed for a name. */
    save(name: string): void {
      const draft = $drafts.get()[name];
      const changes = draft ? changesOf(name, draft) : [];
      const isSaving = $saves.get()[name]?.status === 'saving';
      if (changes.length > 0 && !isSaving) void send(changes);
    },

    /** Sets the former values. */
    undo(): void {
      const last = $lastChange.get();
      $lastChange.set(undefined);
      if (last) void send(reversed(last.changes), true);
    },
  };
}

export type NameChanges = ReturnType<typeof createNameChanges>;

/** Without the texts that were saved. */
function typedSince(typed: NameDraft['typed'], changes: readonly NameChange[]): NameDraft['typed'] {
  const saved = new Map(changes.map(({ field, to }) => [field, to]));
  const isSaved = ([field, text]: [string, string]) => saved.get(field) === savedValue(field, text);
  return Object.fromEntries(Object.entries(typed).filter((entry) => !isSaved(entry)));
}

function reversed(changes: readonly NameChange[]): NameChange[] {
  return changes.map(({ from, to, ...change }) => ({ ...change, from: to, to: from }));
}

function namesOf(changes: readonly NameChange[]): ReadonlySet<string> {
  return new Set(changes.map(({ name }) => name));
}

function fieldKey({ name, field }: NameChange): string {
  return `${name} ${field}`;
}

/** Of a change of several names, for those without a problem of their own. */
function otherFailure(
  changed: readonly { name: string }[],
  problems: readonly { name?: string | undefined }[],
): string {
  const [name] = [...changed, ...problems].flatMap((each) => each.name ?? []);
  return name === undefined ? SAVE_FAILURE : `Nothing was saved, because of ${name}.`;
}

/** A random UUID. `crypto.randomUUID` is missing on http, except on localhost. */
export function newBatch(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5');
}
