import type { Catalogue } from '../../src/catalogue/load.ts';
import { brokerHost, placeholderBroker } from '../../src/catalogue/placeholder-broker.ts';
import { type Finding, findingsOf } from './finding.ts';

/** Judges where “Use Broker for …” leads. */
export function checkBroker(catalogue: Catalogue): Finding {
  const { ok, warn } = findingsOf('broker');
  const warning = placeholderBroker(catalogue);
  if (warning) return warn(warning);
  const isLinked = catalogue.domains.some(({ hasBroker }) => hasBroker);
  return ok(
    isLinked ? `brokerUrl leads to ${brokerHost(catalogue.settings)}.` : 'No name links to a broker.',
  );
}
