import type { Selection } from '../stores/selection.ts';
import { texts } from '../texts.ts';
import { useSelection } from './use-selection.ts';

/** The page's promise; hydrated because it names the selected domain. */
export function Headline({ initial }: { initial: Selection | null }) {
  const [before, name, after] = texts.headline(useSelection(initial)?.name);
  return (
    <h1>
      {before} <strong>{name}</strong> {after}
    </h1>
  );
}
