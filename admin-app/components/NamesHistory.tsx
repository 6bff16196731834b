import { useInfiniteQuery } from '@tanstack/react-query';
import type { Returned } from '#contract/calls.ts';
import { FOR_SALE } from '../stores/name-values.ts';
import { namesStore } from '../stores/names-admin.ts';
import { DomainName } from './DomainName.tsx';
import { formatDate } from './format-date.ts';
import { stateWord } from './StateWord.tsx';
import { Zone } from './Zone.tsx';

type Entry = Returned<'name_history'>[number];

/** Entries of a page of the call. */
const PAGE_SIZE = 100;

/** The changes of a name, or of all names, by administrators, the newest first. */
export function NamesHistory({ name }: { name?: string }) {
  const { data, isError, isPending, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    ...namesStore.historyQuery(name),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.length < PAGE_SIZE ? undefined : last.at(-1)?.id),
  });
  const entries = data?.pages.flat() ?? [];
  return (
    <section className="names-history" aria-label="History" aria-busy={isFetching}>
      <h3>History</h3>
      <ol className="moves">
        {entries.map((entry) => (
          <li key={entry.id} className={entry.dropped_at ? 'dropped' : undefined}>
            <b>
              {name === undefined && (
                <>
                  <DomainName name={entry.name} />{' '}
                </>
              )}
              <span key={changeText(entry)}>{changeText(entry)}</span>
            </b>
            <span>
              {formatDate(entry.changed_at)}
              {entry.changed_by_email && (
                <>
                  {' by '}
                  <bdi>{entry.changed_by_email}</bdi>
                </>
              )}
            </span>
            {entry.dropped_at && <span className="failed">{droppedText(entry)}</span>}
            {!entry.dropped_at && !entry.written_at && <span>Not in the catalogue’s file yet</span>}
          </li>
        ))}
      </ol>
      {entries.length > 0 && <Zone />}
      <div aria-live="polite">
        {isPending && <p>Loading history...</p>}
        {!isPending && !isError && entries.length === 0 && (
          <p>No changes here yet. Those by commands and by hand are not listed.</p>
        )}
        {isError && (
          <p className="failed">
            Failed to load the history.{' '}
            <button type="button" className="button quiet" onClick={() => refetch()}>
              Try again
            </button>
          </p>
        )}
      </div>
      {hasNextPage && (
        <button type="button" className="button quiet" onClick={() => fetchNextPage()}>
          Show more
        </button>
      )}
    </section>
  );
}

const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' });

/** `price $7,900 → $7,500` */
export function changeText({ field, from, to }: Pick<Entry, 'field' | 'from' | 'to'>): string {
  if (field === 'entry') return to === null ? 'removed' : 'added';
  return `${fieldName(field)} ${valueText(field, from)} → ${valueText(field, to)}`;
}

function fieldName(field: string): string {
  const [, language] = /^description\.(.+)$/.exec(field) ?? [];
  return language === undefined ? field : `description, ${LANGUAGE_NAMES.of(language)}:`;
}

export function valueText(field: string, value: string | null): string {
  if (field === 'state') return stateWord(value ?? FOR_SALE);
  return value ?? 'none';
}

/** Both values, so that the owner can decide. */
function droppedText({ field, to, found }: Entry): string {
  return `Dropped: the file had ${valueText(field, found)} in place of ${valueText(field, to)}. The file counts.`;
}
