import { type Finding, findingsOf } from './finding.ts';

/** Names reserved for examples and tests (RFC 2606), which lead nowhere. */
const PLACEHOLDER = /(?:^|\.)(?:example|invalid|test|localhost|example\.(?:com|net|org))$/;

/** Judges where “Use Broker for …” leads. */
export function checkBroker(brokerUrl: string, domains: readonly { hasBroker: boolean }[]): Finding {
  const { ok, warn } = findingsOf('broker');
  const count = domains.filter(({ hasBroker }) => hasBroker).length;
  const { hostname } = new URL(brokerUrl.replaceAll('{domain}', 'lap.app'));
  if (!PLACEHOLDER.test(hostname)) return ok(`brokerUrl leads to ${hostname}.`);
  if (count === 0) return ok(`brokerUrl is a placeholder (${hostname}), and no name has a broker.`);
  return warn(
    `brokerUrl leads to ${hostname}, which is a placeholder: write your broker’s, or hasBroker: false (${count} names have true).`,
  );
}
