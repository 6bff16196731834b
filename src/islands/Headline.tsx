import type { Selection } from '../stores/selection.ts';
import { filled } from '../texts/filled.ts';
import type { HeadlineTexts } from '../texts/texts.ts';
import { useSelection } from './use-selection.ts';

/** The page's promise; hydrated because it names the selected domain. */
export function Headline({ initial, texts }: { initial: Selection | null; texts: HeadlineTexts }) {
  const domain = useSelection(initial)?.name;
  const [before, largest, after] = domain ? texts.selected : texts.unselected;
  return (
    <h1>
      {before} <strong>{domain ? filled(largest, { domain }) : largest}</strong> {after}
    </h1>
  );
}
