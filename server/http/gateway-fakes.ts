/** Parts of a gateway for tests that are about another part. */

import type { RenderOnDemand } from '../pages/on-demand.ts';
import type { StaticResponse } from '../pages/static-pages.ts';
import type { GatewayOptions } from './gateway.ts';
import type { Health } from './health.ts';

const RESPONSE: StaticResponse = { headers: {}, body: Buffer.from('page') };

/** The same page everywhere; no domain for sale. */
export const PAGES_OF_NOTHING: GatewayOptions['pages'] = {
  find: () => RESPONSE,
  notFound: () => RESPONSE,
  site: () => ({ names: new Set(), hosts: [], languages: ['en'], domainPages: 0 }),
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

/** For tests that do not request robots.txt and the like. */
export const NOTHING_ON_DEMAND: RenderOnDemand = async (_request, response) => {
  response.writeHead(404).end();
};
