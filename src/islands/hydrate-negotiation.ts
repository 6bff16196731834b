import { hydrate } from './hydrate.ts';
import { Negotiation } from './Negotiation.tsx';

hydrate('Negotiation', Negotiation);
