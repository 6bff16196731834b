import type { Catalogue } from '../catalogue/load.ts';
import { domainPageCount, isForSale } from '../catalogue/related-domains.ts';
import type { SiteFacts } from '../serving/site-facts.ts';

export function siteFactsOf({ domains, settings }: Catalogue): SiteFacts {
  return {
    names: new Set(domains.map(({ name }) => name)),
    notForSale: new Set(domains.filter((domain) => !isForSale(domain)).map(({ name }) => name)),
    hosts: settings.hosts,
    languages: settings.languages,
    domainPages: domainPageCount(domains.filter(isForSale).length),
    contact: settings.contact,
  };
}
