/** The database's side of changes, by its contract, in a file: so that it is there after a kill. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Arguments, Returned } from '#contract/calls.ts';
import type { CallNames } from './change-names.ts';

type Row = Returned<'name_history'>[number];
type Change = Arguments<'change_names'>['changes'][number];

const AT = '2026-11-29T12:00:00Z';

export function storedChanges(file: string) {
  const rows: Row[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const calls: string[] = [];
  /** Called at each call, and once more after it. */
  let onStep: (step: string) => void = () => {};
  let listings: Change[] = [];
  const answers = {
    name_history: ({ batch }: Arguments<'name_history'>) => rows.filter((row) => row.batch === batch),
    read_open_name_changes: () =>
      rows.filter(({ written_at, dropped_at }) => written_at === null && dropped_at === null),
    change_names: ({ batch, changes }: Arguments<'change_names'>) => {
      listings = [...changes];
      const made = changes.map(({ name, field, from, to }, index) => ({
        id: rows.length + index + 1,
        ...{ batch, name, field, from, to, changed_at: AT, changed_by_email: 'ada@example.com' },
        ...{ written_at: null, dropped_at: null, found: null },
      }));
      rows.push(...made);
      return { outcome: 'made', ids: made.map(({ id }) => id) };
    },
    mark_name_changes: ({ written, dropped }: Arguments<'mark_name_changes'>) => {
      for (const row of rows) {
        if (row.written_at !== null || row.dropped_at !== null) continue;
        const found = dropped.find(({ id }) => id === row.id);
        if (written.includes(row.id)) row.written_at = AT;
        else if (found) Object.assign(row, { dropped_at: AT, found: found.found });
      }
    },
  };
  const call = (async (name: keyof typeof answers, args: never) => {
    calls.push(name);
    onStep(`before ${name}`);
    const result = answers[name](args);
    writeFileSync(file, JSON.stringify(rows));
    onStep(`after ${name}`);
    return result;
  }) as CallNames;
  return {
    call,
    calls,
    rows,
    /** What the last change sent. */
    listings: () => listings,
    at(step: typeof onStep): void {
      onStep = step;
    },
    /** What became of each row. */
    ends: () =>
      rows.map(({ written_at, dropped_at, found }) => {
        if (dropped_at !== null) return `dropped: ${found}`;
        return written_at === null ? 'open' : 'written';
      }),
  };
}
