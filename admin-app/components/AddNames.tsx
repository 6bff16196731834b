import { useStore } from '@nanostores/react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import { MAX_NAME_CHANGES, MAX_PASTED, type NamesPlan } from '#contract/names.ts';
import type { Added } from '../stores/added-names.ts';
import { refreshNames } from '../stores/admin.ts';
import { addedNames, nameChanges } from '../stores/names-admin.ts';
import { DomainName } from './DomainName.tsx';
import { namesOf } from './FindNames.tsx';
import { Icon } from './Icon.tsx';
import { NameSteps } from './NameSteps.tsx';
import { useOwnPrice } from './use-names.ts';
import { useSettled } from './use-settled.ts';

/** How long names that are live stand in a note, in milliseconds. */
const SHOWN_MS = 60_000;

/** New names by a pasted list, with a preview of what it does. */
export function AddNames({ onClose }: { onClose: () => void }) {
  const id = useId();
  const text = useStore(addedNames.$pasted);
  const settled = useSettled(text);
  const isEmpty = settled.trim() === '';
  const query = useQuery({
    ...addedNames.planQuery(settled),
    enabled: !isEmpty,
    placeholderData: keepPreviousData,
  });
  const plan = isEmpty ? undefined : query.data;
  const { mutate, isPending, error } = useMutation(addedNames.addNames);
  const count = plan ? plan.added.length + plan.changed.length : 0;
  const isReady = count > 0 && !isPending && settled === text && !query.isPlaceholderData;
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const action = plan ? actionOf(plan) : 'Add names';

  return (
    <form
      className="names-box"
      aria-labelledby={`${id}-title`}
      onSubmit={(event) => {
        event.preventDefault();
        if (!plan || !isReady) return;
        const counts = { names: plan.added.length, prices: plan.changed.length };
        // Open as long as there is what was typed since.
        const onSuccess = () => addedNames.$pasted.get() === '' && onClose();
        mutate({ text, plan: plan.id, ...counts }, { onSuccess });
      }}
    >
      <h3 id={`${id}-title`}>New names</h3>
      <p>
        One name and its price in each line, at most {MAX_NAME_CHANGES}. The price may be missing. Paste from
        a spreadsheet.
      </p>
      <div className="two">
        <label>
          <b>Names and prices</b>
          <textarea
            ref={field}
            className="input"
            spellCheck={false}
            autoCapitalize="none"
            maxLength={MAX_PASTED}
            placeholder={'lap.app $4,500\nsunroute.com'}
            value={text}
            onChange={({ target }) => addedNames.$pasted.set(target.value)}
          />
        </label>
        <div>
          {plan && <Preview plan={plan} isBusy={query.isFetching || settled !== text} />}
          {error ? (
            <p key={error.message} role="alert" className="failed">
              {error.message || 'Failed to add the names. Please try again.'}
            </p>
          ) : (
            !isEmpty &&
            query.error && (
              <p key="list" role="alert" className="failed">
                <span key={query.error.message}>{query.error.message || 'Failed to read the list.'}</span>{' '}
                <button type="button" className="button quiet" onClick={() => query.refetch()}>
                  Try again
                </button>
              </p>
            )
          )}
          <div className="foot">
            <button type="button" className="button quiet" onClick={onClose}>
              Cancel
            </button>
            <button type="submit" className="button" aria-disabled={!isReady} aria-busy={isPending}>
              <span key={action}>{action}</span>
            </button>
          </div>
        </div>
      </div>
    </form>
  );
}

function actionOf({ added, changed }: NamesPlan): string {
  const prices = changed.length === 1 ? 'set 1 price' : `set ${changed.length} prices`;
  if (changed.length === 0) return `Add ${namesOf(added.length)}`;
  return added.length === 0 ? prices.replace('set', 'Set') : `Add ${namesOf(added.length)}, ${prices}`;
}

function Preview({ plan, isBusy }: { plan: NamesPlan; isBusy: boolean }) {
  const shownPrice = useOwnPrice();
  const { added, changed, unchanged, left_out, warnings } = plan;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be of fields
    <div className="preview-scroll" role="group" aria-label="Preview" tabIndex={0} aria-busy={isBusy}>
      <ol className="preview-lines">
        {left_out.map(({ line, text, reason }) => (
          <li key={`out ${line}`} data-wrong>
            <b>
              <bdi>{text}</bdi>
            </b>
            <span key={reason}>{`Line ${line}: ${reason}`}</span>
          </li>
        ))}
        {warnings.map(({ line, text, warning }) => (
          <li key={`warning ${line} ${warning}`} data-warning>
            <b>
              <bdi>{text}</bdi>
            </b>
            <span key={warning}>{`Line ${line}: ${warning}`}</span>
          </li>
        ))}
        {changed.map(({ name, from, to }) => (
          <li key={name} data-set>
            <b>
              <DomainName name={name} />
            </b>
            <span className="from">{shownPrice(from) || 'No price'}</span>
            <span role="img" aria-label="becomes">
              <Icon name="chevron" />
            </span>
            <b>{shownPrice(to)}</b>
            <span>is there already</span>
          </li>
        ))}
        {added.map(({ name, price }) => (
          <li key={name}>
            <b>
              <DomainName name={name} />
            </b>
            <span key={price}>{price === null ? 'new, without a price' : `new, ${shownPrice(price)}`}</span>
          </li>
        ))}
      </ol>
      {unchanged.length > 0 && (
        <p>
          {unchanged.length === 1
            ? '1 name is there already with this price.'
            : `${unchanged.length} names are there already with these prices.`}
        </p>
      )}
    </div>
  );
}

/** `3 names added, 1 price set.` */
function addedText({ names, prices }: Added): string {
  const set = prices === 1 ? '1 price set' : `${prices} prices set`;
  if (names === 0) return `${set}.`;
  return prices === 0 ? `${namesOf(names)} added.` : `${namesOf(names)} added, ${set}.`;
}

/** Names that were added: they are in the list once the pages have them. */
export function AddedNote() {
  const added = useStore(addedNames.$added);
  const { data: build } = useQuery({ ...nameChanges.buildQuery, enabled: added !== undefined });
  const isLive = added !== undefined && build?.live.includes(added.batch) === true;
  useEffect(() => {
    if (!isLive) return;
    refreshNames();
    const timer = setTimeout(() => addedNames.$added.set(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isLive]);
  return (
    <div role="status">
      {added && (
        <div className="notice added-note">
          <p key={added.batch}>
            {addedText(added)} To take it back: <code>npm run catalogue -- undo</code>
          </p>
          <NameSteps save={{ status: isLive ? 'live' : 'saved', batch: added.batch, at: added.at }} />
        </div>
      )}
    </div>
  );
}
