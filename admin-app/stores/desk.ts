/** The desk's stores and actions, wired to the backend: what its screens import. */
import { createOffersApi } from '../api/offers.ts';
import { authenticate, supabase } from '../api/supabase.ts';
import { createOffers } from './offers.ts';
import { createSession } from './session.ts';
import { createSignIn } from './sign-in.ts';

export type { Session } from './session.ts';
export const { $session, signOut } = createSession(supabase.auth);

export const { $signIn, signIn } = createSignIn(authenticate);

export const { $offers, loadOffers, refreshOffers, viewRows, setStatus, forgetOffers } = createOffers(
  createOffersApi(supabase),
);
