/** Parts of a gateway for tests that are about another part. */
import type { Health } from './health.ts';
import type { StaticPages, StaticResponse } from './static-pages.ts';

const RESPONSE: StaticResponse = { headers: [], body: Buffer.from('page'), etag: '"etag"' };

/** The same page everywhere; no domain for sale. */
export const PAGES_OF_NOTHING: StaticPages = {
  find: () => RESPONSE,
  notFound: () => RESPONSE,
  siteHosts: () => ({ names: new Set(), hosts: [], adminHost: undefined }),
  problem: () => undefined,
};

const REPORT: Health = {
  status: 'ok',
  pages: 'ok',
  database: 'ok',
  functions: 'ok',
  messages: 'ok',
  catalogue: 'ok',
  reasons: {},
};

export const HEALTHY = async (): Promise<Health> => REPORT;
