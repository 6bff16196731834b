/** Stores and actions of the admin pages, connected to the backend. */
import { extendSession } from '../api/admin-session.ts';
import { createOffersApi } from '../api/offers.ts';
import { authenticate, supabase } from '../api/supabase.ts';
import { createOffers } from './offers.ts';
import { createSession } from './session.ts';
import { createSignIn } from './sign-in.ts';

export type { Session } from './session.ts';

const session = createSession(supabase.auth, () => extendSession(supabase));
export const { $session, signOut } = session;

export const { $signIn, signIn } = createSignIn(authenticate);

export const { $offers, loadOffers, refreshOffers, viewRows, loadMoreHeld, setStatus, forgetOffers } =
  createOffers(createOffersApi(supabase), session.endSession);
