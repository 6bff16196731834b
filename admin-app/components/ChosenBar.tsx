import { useStore } from '@nanostores/react';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { MAX_NAME_CHANGES } from '#contract/names.ts';
import type { ListingState } from '#contract/publication.ts';
import { chosenNames, nameChanges } from '../stores/names-admin.ts';
import { formatNumber } from './use-counts.ts';

const ACTIONS: readonly [ListingState, string][] = [
  ['reserved', 'Reserve'],
  ['sold', 'Mark as sold'],
  ['for_sale', 'For sale'],
];

interface Props {
  total: number;
  onSetPrices: () => void;
}

/** What is done with the chosen names, at the foot of the window. Nothing while none is chosen. */
export function ChosenBar({ total, onSetPrices }: Props) {
  const { size } = useStore(chosenNames.$chosen);
  const isChoosing = useStore(chosenNames.$isChoosing);
  const saves = useStore(nameChanges.$saves);
  const chosen = useStore(chosenNames.$chosen);
  const { mutate, isPending, isError } = useMutation(chosenNames.setStates);
  useEscape(size > 0 || isChoosing);
  if (size === 0 && !isChoosing) return null;
  const failure = [...chosen].map((name) => saves[name]).find((save) => save?.status === 'failed');
  return (
    <fieldset className="chosen-bar" aria-label="Chosen names">
      <p role="status">
        <span key={size}>
          <b>{formatNumber(size)} chosen</b> of {formatNumber(total)}
          {size === MAX_NAME_CHANGES && ', the most at a time'}
        </span>
      </p>
      {ACTIONS.map(([state, text]) => (
        <button
          key={state}
          type="button"
          className="button quiet"
          aria-disabled={size === 0 || isPending}
          onClick={() => size > 0 && !isPending && mutate(state)}
        >
          {text}
        </button>
      ))}
      <button
        type="button"
        className="button quiet"
        aria-disabled={size === 0}
        onClick={() => size > 0 && onSetPrices()}
      >
        Set prices
      </button>
      <button type="button" className="word" onClick={clear}>
        Clear
      </button>
      {(isError || failure?.status === 'failed') && (
        <p role="alert" className="failed">
          {failure?.status === 'failed' ? failure.message : 'Failed to read the catalogue. Please try again.'}
        </p>
      )}
    </fieldset>
  );
}

/** Ends choosing. The focus stays in the list. */
function clear(): void {
  document.getElementById('names-title')?.focus({ preventScroll: true });
  chosenNames.clear();
}

function useEscape(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      const isTyping = document.activeElement?.matches('input:not([type="checkbox"]), textarea, select');
      if (event.key === 'Escape' && !event.defaultPrevented && !isTyping) chosenNames.clear();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isOn]);
}
