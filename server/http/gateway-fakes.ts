/** Parts of a gateway for tests that are about another part. */

import { hostText } from '../../src/serving/host-text.ts';
import type { RenderText } from '../pages/on-demand.ts';
import type { StaticResponse } from '../pages/static-pages.ts';
import type { GatewayOptions } from './gateway.ts';
import type { Health } from './health.ts';

/** The texts of hosts without Astro's server bundle, which renders the same function. */
export const renderText: RenderText = async (path, requested) => {
  const response = await hostText(new Request('http://localhost'), path, requested);
  if (response.status !== 200) return undefined;
  const { etag: _, 'content-length': __, ...headers } = Object.fromEntries(response.headers);
  return { headers, body: Buffer.from(await response.arrayBuffer()) };
};

const RESPONSE: StaticResponse = { headers: {}, body: Buffer.from('page') };

/** The same page everywhere; no domain for sale. */
export const PAGES_OF_NOTHING: GatewayOptions['pages'] = {
  find: () => RESPONSE,
  notFound: () => RESPONSE,
  hostText: async () => undefined,
  siteHosts: () => ({ names: new Set(), hosts: [], adminHost: undefined }),
};

const REPORT: Health = {
  status: 'ok',
  pages: 'ok',
  database: 'ok',
  functions: 'ok',
  messages: 'ok',
  catalogue: 'ok',
  reasons: {},
  build: 'one',
};

export const HEALTHY = async (): Promise<Health> => REPORT;
