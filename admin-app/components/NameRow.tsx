import { type MouseEvent, memo, type Ref } from 'react';
import { formatPrice } from '#contract/format-price.ts';
import type { NameValues } from '#contract/names.ts';
import { priceIn } from '#contract/shown-amount.ts';
import type { Save } from '../stores/name-changes.ts';
import { FOR_SALE } from '../stores/name-values.ts';
import type { ListedName } from '../stores/names.ts';
import { chosenNames, namesStore } from '../stores/names-admin.ts';
import { DomainName } from './DomainName.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { formatDay } from './format-date.ts';
import { Icon } from './Icon.tsx';
import { NameEditor } from './NameEditor.tsx';
import { StepMark } from './NameSteps.tsx';
import { StateWord } from './StateWord.tsx';
import { useShownName } from './shown-names.ts';
import { formatNumber } from './use-counts.ts';
import { useOwnPrice } from './use-names.ts';
import { Change, YearLine } from './Visits.tsx';

interface Props {
  /** The row's index among all names. */
  row: number;
  listed: ListedName;
  /** What the file has; undefined while it is not known, and where there is no file. */
  values: NameValues | undefined;
  /** Of the site's languages. */
  language: string;
  isOpen: boolean;
  /** Undefined where names cannot be changed. */
  isChosen: boolean | undefined;
  save: Save | undefined;
  ref?: Ref<HTMLTableRowElement>;
}

const NAME_COLUMNS = 10;

export const NameRow = memo(function NameRow(props: Props) {
  const { row, listed, isOpen, isChosen = false, ref } = props;
  const attributes = { ref, 'data-index': row, 'aria-rowindex': row + FIRST_ROW };
  return (
    <ErrorBoundary
      what="this name"
      frame={(message) => (
        <tr {...attributes} className="failed-row">
          <td colSpan={NAME_COLUMNS}>{message}</td>
        </tr>
      )}
    >
      <tr
        {...attributes}
        data-state={listed.state}
        data-open={isOpen || undefined}
        data-chosen={isChosen || undefined}
        onClick={(event) => isOnRow(event) && namesStore.toggleName(listed.name)}
      >
        <Cells {...props} />
      </tr>
    </ErrorBoundary>
  );
});

function Cells({ listed, values, language, isOpen, isChosen, save }: Props) {
  const { name, state, open, best, agreed, last_offer_at, numbers } = listed;
  const shown = useShownName(name);
  const priceText = useOwnPrice();
  const price = priceText(values ? values.price.value : listed.price);
  const minimum = priceText(values?.minimum.value);
  const description = values?.description[language]?.value;
  const isEnded = state !== FOR_SALE;
  const below = agreed ? `agreed ${amountText(agreed)}` : best && open > 0 ? `best ${amountText(best)}` : '';
  return (
    <>
      {isChosen !== undefined && (
        <td className="choose">
          <label className="box">
            <input
              type="checkbox"
              aria-label={`Choose ${shown}`}
              checked={isChosen}
              onChange={() => chosenNames.toggle(name)}
            />
            <Icon name="check" />
          </label>
        </td>
      )}
      <td className="name">
        <b>
          <DomainName name={name} />
        </b>
        {description && (
          <span key={description} className="below">
            {description}
          </span>
        )}
      </td>
      <td className="state">
        <StateWord state={state} />
        {save && !isOpen && <StepMark save={save} />}
      </td>
      <td className="price">
        {price ? <b key={price}>{price}</b> : <span>No price</span>}
        {minimum && <span key={minimum} className="below">{`min. ${minimum}`}</span>}
      </td>
      <td className="offers" data-none={(open === 0 && !below) || undefined}>
        {open > 0 ? <b key={open}>{`${formatNumber(open)} open`}</b> : <span>None</span>}
        {below && (
          <span key={below} className="below" translate="no">
            {below}
          </span>
        )}
      </td>
      <td className="last">
        {last_offer_at && <time dateTime={last_offer_at}>{formatDay(last_offer_at)}</time>}
      </td>
      {numbers && (
        <>
          <td className="visits_7">
            <span key={numbers.week}>{formatNumber(numbers.week)}</span>
          </td>
          <td className="visits_30">
            <b key={numbers.month}>{formatNumber(numbers.month)}</b>
            <Change numbers={numbers} />
          </td>
          <td className="year">
            <YearLine periods={numbers.periods} />
          </td>
        </>
      )}
      <td className="panel">
        <button
          type="button"
          className="icon open"
          aria-label={`${isOpen ? 'Close' : 'Open'} ${shown}`}
          aria-expanded={isOpen}
          aria-controls={isOpen ? panelOf(name) : undefined}
          onClick={() => namesStore.toggleName(name)}
        >
          <Icon name="chevron" />
        </button>
        {isOpen && (
          <NameEditor id={panelOf(name)} listed={listed} values={values} isEnded={isEnded} save={save} />
        )}
      </td>
    </>
  );
}

/** What was read in an amount, or its text. */
function amountText(amount: NonNullable<ListedName['best']>): string {
  const price = priceIn(amount);
  return price ? formatPrice(price, 'en') : amount.amount;
}

function panelOf(name: string): string {
  return `name-${name}`;
}

/** Placeholder for a name that is being loaded. */
export function EmptyNameRow({ row, ref }: Pick<Props, 'row' | 'ref'>) {
  return (
    <tr ref={ref} data-index={row} aria-rowindex={row + FIRST_ROW} className="placeholder">
      <td colSpan={NAME_COLUMNS}>…</td>
    </tr>
  );
}

/** What a click is for itself. */
const OWN_CLICK = 'a, button, select, input, textarea, label, .name-panel';

function isOnRow({ target }: MouseEvent): boolean {
  const isOwn = target instanceof Element && target.closest(OWN_CLICK) !== null;
  return !isOwn && getSelection()?.isCollapsed !== false;
}

/** `aria-rowindex` counts from 1, and the column titles are row 1. */
const FIRST_ROW = 2;
