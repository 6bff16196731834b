import type { Catalogue } from './schema.ts';

/** Names reserved for examples and tests (RFC 2606), which lead nowhere. */
const PLACEHOLDER = /(?:^|\.)(?:example|invalid|test|localhost|example\.(?:com|net|org))$/;

/** Warns if domains link to a broker at a placeholder, such as the sample's. Returns undefined otherwise. */
export function placeholderBroker({ domains, settings }: Catalogue): string | undefined {
  const linked = domains.filter(({ hasBroker }) => hasBroker).length;
  const host = brokerHost(settings);
  if (linked === 0 || host === undefined || !PLACEHOLDER.test(host)) return undefined;
  return (
    `brokerUrl leads to ${host}, which is a placeholder: write your broker’s address, or remove hasBroker ` +
    `(${linked === 1 ? '1 name has' : `${linked.toLocaleString('en-US')} names have`} true).`
  );
}

/** The host of the broker's pages. */
export function brokerHost({ brokerUrl }: Catalogue['settings']): string | undefined {
  return brokerUrl && new URL(brokerUrl.replaceAll('{domain}', 'lap.app')).hostname;
}
