import islandMessages from 'virtual:island-messages';
import { memo } from 'react';
import { interpolate } from '#contract/interpolate.ts';
import type { Language } from '../i18n/languages.ts';
import type { Selection } from '../stores/selection.ts';
import { useSelection } from './use-selection.ts';

interface Props {
  initial: Selection | null;
  /** URL template of the marketplace, with `{domain}` in place of the name; absent where no domain is linked. */
  brokerUrl?: string | undefined;
  language: Language;
}

/** What the selected domain's `hasBroker` says; hydrated because it follows that domain. */
export const BrokerPanel = memo(function BrokerPanel({ initial, brokerUrl, language }: Props) {
  const { broker: messages } = islandMessages[language];
  const selected = useSelection(initial);
  if (selected && selected.hasBroker === undefined) return null;
  return (
    <aside className="broker" aria-labelledby="broker-title">
      <h2 id="broker-title">{messages.title}</h2>
      {selected?.hasBroker && brokerUrl ? (
        <a
          key={selected.name}
          className="button quiet"
          href={brokerUrl.replaceAll('{domain}', encodeURIComponent(selected.name))}
          target="_blank"
          rel="noopener"
        >
          {interpolate(messages.link, { domain: selected.shown ?? selected.name })}
        </a>
      ) : (
        <p key={selected?.name}>{selected ? messages.none : messages.unselected}</p>
      )}
    </aside>
  );
});
