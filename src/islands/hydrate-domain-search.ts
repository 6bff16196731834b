import { DomainSearch } from './DomainSearch.tsx';
import { hydrate } from './hydrate.ts';

hydrate('DomainSearch', DomainSearch);
