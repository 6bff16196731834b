import { useEffect, useRef } from 'react';
import { type Selection, selectDomain } from '../stores/selection.ts';
import type { GridTexts } from '../texts/texts.ts';
import { DomainName } from './DomainName.tsx';
import { island } from './island.ts';

interface Props {
  domains: (Selection & { description: string })[];
  initial: Selection | null;
  texts: GridTexts;
}

/**
 * The domains as cards; hydrated to tell the others what was chosen. A native radio group, so that choosing
 * works before any script and the keyboard does as everywhere.
 */
export const DomainGrid = island(function DomainGrid({ domains, initial, texts }: Props) {
  const group = useRef<HTMLFieldSetElement>(null);

  useEffect(() => {
    // Chosen before hydration.
    const checked = group.current?.querySelector<HTMLInputElement>('input:checked')?.value;
    const chosen = domains.find(({ name }) => name === checked);
    if (chosen && chosen.name !== initial?.name) selectDomain(chosen);
  }, [domains, initial]);

  return (
    <fieldset ref={group} className={domains.length === 4 ? 'cards two' : 'cards'}>
      <legend>{texts.choose}</legend>
      {domains.map((domain) => (
        <label key={domain.name} className="card">
          <input
            type="radio"
            name="domain"
            value={domain.name}
            defaultChecked={domain.name === initial?.name}
            // Not onChange: a click on the chosen card counts as well. Arrow keys click, too.
            onClick={() => selectDomain(domain)}
          />
          <b>
            <DomainName name={domain.shown ?? domain.name} />
          </b>{' '}
          <span>{domain.description}</span>
        </label>
      ))}
    </fieldset>
  );
});
