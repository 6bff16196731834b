import { islandMessages } from '#island-messages';
import { interpolate } from '../i18n/interpolate.ts';
import type { Language } from '../i18n/languages.ts';
import type { Selection } from '../stores/selection.ts';
import { island } from './island.ts';
import { useSelection } from './use-selection.ts';

interface Props {
  initial: Selection | null;
  /** URL template of the marketplace, with `{domain}` in place of the name. */
  brokerUrl: string;
  language: Language;
}

/** Link to the broker; hydrated because it follows the selected domain. */
export const BrokerPanel = island(function BrokerPanel({ initial, brokerUrl, language }: Props) {
  const { broker: messages } = islandMessages(language);
  const selected = useSelection(initial);
  return (
    <aside className="broker" aria-labelledby="broker-title">
      <h2 id="broker-title">{messages.title}</h2>
      {selected?.hasBroker ? (
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
