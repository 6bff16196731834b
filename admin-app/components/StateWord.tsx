import type { ListingState } from '#contract/publication.ts';

export const STATE_WORDS: Readonly<Record<ListingState, string>> = {
  for_sale: 'For sale',
  reserved: 'Reserved',
  sold: 'Sold',
};

/** A state of a later version is shown by its name. */
export function stateWord(state: string): string {
  return (STATE_WORDS as Readonly<Record<string, string>>)[state] ?? state;
}

/** A dot that is full, half or a ring, and the word. */
export function StateWord({ state }: { state: string }) {
  const word = stateWord(state);
  return (
    <span className="state-word" data-state={state}>
      <i />
      <span key={word}>{word}</span>
    </span>
  );
}
