import type { Selection } from '../stores/selection.ts';
import { filled } from '../texts/filled.ts';
import type { HeadlineTexts } from '../texts/texts.ts';
import { DomainName } from './DomainName.tsx';
import { island } from './island.ts';
import { useSelection } from './use-selection.ts';

/** The page's promise; hydrated because it names the selected domain. */
export const Headline = island(function Headline({
  initial,
  texts,
}: {
  initial: Selection | null;
  texts: HeadlineTexts;
}) {
  const selected = useSelection(initial);
  const domain = selected?.shown ?? selected?.name;
  const [before, largest, after] = domain ? texts.selected : texts.unselected;
  const name = domain ? filled(largest, { domain }) : largest;
  return (
    <h1 key={name}>
      {before}{' '}
      <strong data-length={lengthOf(name)} translate={domain ? 'no' : undefined}>
        {domain ? <DomainName name={name} /> : name}
      </strong>{' '}
      {after}
    </h1>
  );
});

/** The shorter a name, the larger it stands: the styles know a size for each. */
function lengthOf(name: string): string {
  if (name.length <= 8) return 'short';
  if (name.length <= 16) return 'medium';
  return name.length <= 24 ? 'long' : 'longest';
}
