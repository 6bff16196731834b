import type { Selection } from '../stores/selection.ts';
import { texts } from '../texts.ts';
import { useSelection } from './use-selection.ts';

interface Props {
  initial: Selection | null;
  /** Address at the marketplace, with `{domain}` in place of the name. */
  brokerUrl: string;
}

/** The way to a professional; hydrated because it follows the selected domain. */
export function BrokerPanel({ initial, brokerUrl }: Props) {
  const selected = useSelection(initial);
  return (
    <aside className="broker" aria-labelledby="broker-title">
      <h2 id="broker-title">{texts.broker.title}</h2>
      {selected?.hasBroker ? (
        <a
          className="button quiet"
          href={brokerUrl.replaceAll('{domain}', encodeURIComponent(selected.name))}
          target="_blank"
          rel="noopener"
        >
          {texts.broker.link(selected.name)}
        </a>
      ) : (
        <p>{selected ? texts.broker.none : texts.broker.unselected}</p>
      )}
    </aside>
  );
}
