import { hydrate } from './hydrate.ts';
import { OfferForm } from './OfferForm.tsx';

hydrate('OfferForm', OfferForm);
