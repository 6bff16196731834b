import { atom } from 'nanostores';
import type { BotCheckProvider } from '../api/bot-check/provider.ts';
import type { sendOffer } from '../api/order-submit.ts';

interface Calls {
  readonly provider: BotCheckProvider;
  readonly sendOffer: typeof sendOffer;
}

/** The form's bot check and its sending. Their script comes after the form is hydrated (provide-calls.ts). */
export const $calls = atom<Calls | undefined>();
