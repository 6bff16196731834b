import { useStore } from '@nanostores/react';
import { useMutation } from '@tanstack/react-query';
import type { Ref } from 'react';
import type { NameSort } from '#contract/calls.ts';
import { MAX_NAME_CHANGES } from '#contract/names.ts';
import { isLongList, NAMES_PER_PAGE } from '../stores/names.ts';
import { chosenNames, nameChanges, namesStore } from '../stores/names-admin.ts';
import { isOfVisits } from '../stores/names-view.ts';
import { Icon } from './Icon.tsx';
import LongList from './LongList.tsx';
import { EmptyNameRow, NameRow } from './NameRow.tsx';
import { formatNumber } from './use-counts.ts';
import type { LoadedNames } from './use-names.ts';

const TITLES = [
  ['name', 'Name'],
  ['state', 'State'],
  ['price', 'Price'],
  ['offers', 'Offers'],
  ['last_offer', 'Last offer'],
  ['visits_7', '7 d'],
  ['visits_30', 'Visits, 30 d'],
] as const satisfies [NameSort, string][];

interface Props extends LoadedNames {
  readonly language: string;
  readonly canChange: boolean;
}

/** The names of the list: every row, or only those in view of a long list. */
export function NamesTable(props: Props) {
  const { total, view, pages, values, isCounted, reloading, language, canChange } = props;
  const open = useStore(namesStore.$open);
  const saves = useStore(nameChanges.$saves);
  const chosen = useStore(chosenNames.$chosen);
  const isChoosing = useStore(chosenNames.$isChoosing);
  const rows = firstRows(pages);

  const rowOf = (row: number, ref?: Ref<HTMLTableRowElement>) => {
    const listed = pages.get(Math.floor(row / NAMES_PER_PAGE))?.[row % NAMES_PER_PAGE];
    if (!listed) return <EmptyNameRow key={row} row={row} {...(ref && { ref })} />;
    const { name } = listed;
    return (
      <NameRow
        // Of the name, so that the focus stays in its row once a new name moves it.
        key={rows.get(name) === row ? name : `${row} ${name}`}
        {...(ref && { ref })}
        row={row}
        listed={listed}
        values={values[name]}
        language={language}
        isOpen={open.has(name)}
        isChosen={canChange ? chosen.has(name) : undefined}
        save={saves[name]}
      />
    );
  };
  return (
    <table
      className={isLongList(total) ? 'names fixed' : 'names'}
      data-choice={canChange || undefined}
      data-counted={isCounted || undefined}
      data-choosing={isChoosing || undefined}
      aria-label="Names"
      aria-rowcount={total + 1}
      aria-busy={reloading}
    >
      <thead>
        <tr aria-rowindex={1}>
          {canChange && (
            <th scope="col" className="choose">
              <ChooseAll total={total} chosen={chosen.size} />
            </th>
          )}
          {TITLES.filter(([sort]) => isCounted || !isOfVisits(sort)).map(([sort, title]) => (
            <th
              key={sort}
              scope="col"
              className={sort}
              aria-sort={sort === view.sort ? (view.descending ? 'descending' : 'ascending') : undefined}
            >
              <button type="button" onClick={() => namesStore.sortBy(sort)}>
                {sort === view.sort && <Icon name={view.descending ? 'down' : 'up'} />}
                <span>{title}</span>
              </button>
            </th>
          ))}
          {isCounted && (
            <th scope="col" className="year">
              12 months
            </th>
          )}
          <th scope="col">
            <span className="visually-hidden">Open</span>
          </th>
        </tr>
      </thead>
      {isLongList(total) ? (
        <LongList total={total} heights={HEIGHTS} onView={showRows}>
          {rowOf}
        </LongList>
      ) : (
        <tbody>{Array.from({ length: total }, (_, row) => rowOf(row))}</tbody>
      )}
    </table>
  );
}

/** By name: pages that were read at different times may have it twice. */
function firstRows(pages: LoadedNames['pages']): ReadonlyMap<string, number> {
  const rows = new Map<string, number>();
  for (const [page, names] of pages)
    for (const [index, { name }] of names.entries())
      if (!rows.has(name)) rows.set(name, page * NAMES_PER_PAGE + index);
  return rows;
}

/** As in names-table.css. */
const HEIGHTS = { wide: 4, card: 6.25, cards: matchMedia('(width < 70rem)') };

const showRows = (rows: readonly [first: number, last: number]) => namesStore.$inView.set(rows);

function ChooseAll({ total, chosen }: { total: number; chosen: number }) {
  const { mutate, isPending } = useMutation(chosenNames.chooseAll);
  const most = Math.min(total, MAX_NAME_CHANGES);
  const isAll = chosen > 0 && chosen >= most;
  const label =
    total > most ? `Choose the first ${formatNumber(most)} of ${formatNumber(total)}` : `Choose all ${total}`;
  return (
    <label className="box">
      <input
        type="checkbox"
        aria-label={label}
        aria-busy={isPending}
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = chosen > 0 && !isAll;
        }}
        onChange={() => (isAll ? chosenNames.clear() : mutate())}
      />
      <Icon name="check" />
    </label>
  );
}
