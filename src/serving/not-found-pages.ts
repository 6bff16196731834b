import { namesOfHost } from '#contract/hosts.ts';
import type { SiteFacts } from './site-facts.ts';

/**
 * The 404 pages that suit a request, the best one first: in the language of its path, and where the host's name is for sale,
 * the page that says so. `/de/nothing` on lap.app: `/de/404-for-sale/`, `/404-for-sale/`, `/de/404/`, `/404.html`.
 * @param host the request's host name
 * @param path of the request, decoded, without query
 */
export function notFoundPages(
  host: string,
  path: string,
  { names, notForSale }: Pick<SiteFacts, 'names' | 'notForSale'>,
): string[] {
  const isForSale = namesOfHost(host).some((name) => names.has(name) && !notForSale?.has(name));
  const language = `/${path.split('/')[1]}`;
  return [
    ...(isForSale ? [`${language}/404-for-sale/`, '/404-for-sale/'] : []),
    `${language}/404/`,
    '/404.html',
  ];
}
