/**
 * The parts of supabase-js that the admin pages use, without supabase-js itself: that is loaded once the first rows are shown, or
 * by the first call that needs it. Until then the session is read from localStorage (stored-session.ts).
 */
import { SUPABASE_PUBLISHABLE_KEY, SUPABASE_URL } from 'astro:env/client';
import type { AuthChangeEvent, Session, SupabaseClient } from '@supabase/supabase-js';
import type { Credentials } from '#contract/sign-in.ts';
import { createDataApi } from './data-api.ts';
import { createStoredSession } from './stored-session.ts';
import type { createSupabase } from './supabase-client.ts';

type Loaded = ReturnType<typeof createSupabase>;
type Auth = SupabaseClient['auth'];
type Functions = SupabaseClient['functions'];
type Listener = (event: AuthChangeEvent, session: Session | null) => void;

/** Time after which it is loaded again where that failed, in milliseconds: that between two checks of supabase-js. */
const RETRY_DELAY_MS = 30_000;

const url = SUPABASE_URL || location.origin;
const stored = createStoredSession(url, SUPABASE_PUBLISHABLE_KEY);
const opened = stored.open();
const listeners: Listener[] = [];
let loading: Promise<Loaded> | undefined;
let loaded: Loaded | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;

void opened.then((session) => {
  if (session === undefined) startClient();
});

function emit(event: AuthChangeEvent, session: Session | null): void {
  for (const listener of listeners) listener(event, session);
}

/** Where it cannot be loaded, it is tried again later, or by the next call. @throws Error without a message */
function loadClient(): Promise<Loaded> {
  loading ??= load().catch((cause: unknown) => {
    loading = undefined;
    clearTimeout(retry);
    retry = setTimeout(startClient, RETRY_DELAY_MS);
    throw new Error('', { cause });
  });
  return loading;
}

async function load(): Promise<Loaded> {
  const [{ createSupabase }, first] = await Promise.all([import('./supabase-client.ts'), opened]);
  loaded = createSupabase(url, SUPABASE_PUBLISHABLE_KEY, stored.storageKey);
  clearTimeout(retry);
  loaded.client.auth.onAuthStateChange((event, session) => {
    // A session that was told before is no new one.
    emit(event === 'INITIAL_SESSION' && first && session ? 'SIGNED_IN' : event, session);
  });
  return loaded;
}

/** From then on the session is renewed before it ends, and follows what other tabs do with it. */
export function startClient(): void {
  loadClient().catch((error: unknown) => console.error('supabase-js could not be loaded', error));
}

/** Signs in through the function `admin-auth`. */
export const authenticate = async (credentials: Credentials) =>
  (await loadClient()).authenticate(credentials);

const auth = {
  onAuthStateChange(listener: Listener): void {
    listeners.push(listener);
    void opened.then((session) => {
      if (session !== undefined) listener('INITIAL_SESSION', session);
    });
  },

  async getSession(): ReturnType<Auth['getSession']> {
    await opened;
    // Not once it is loaded: where the storage is full, its session is another one.
    const session = loaded ? undefined : stored.readUsable();
    return session ? { data: { session }, error: null } : (await loadClient()).client.auth.getSession();
  },

  refreshSession: async () => (await loadClient()).client.auth.refreshSession(),

  async signOut(options: Parameters<Auth['signOut']>[0]): ReturnType<Auth['signOut']> {
    if (loaded) return loaded.client.auth.signOut(options);
    const token = stored.readUsable()?.access_token;
    // At once, since supabase-js may be long in coming.
    stored.remove();
    emit('SIGNED_OUT', null);
    const { auth } = (await loadClient()).client;
    // Tells other tabs, unless one of them has signed in meanwhile.
    if (!stored.readUsable()) await auth.signOut(options);
    if (token === undefined) return { error: null };
    const { error } = await auth.admin.signOut(token, options?.scope);
    return { error };
  },
};

const functions = {
  invoke: (async (...parameters: Parameters<Functions['invoke']>) =>
    (await loadClient()).client.functions.invoke(...parameters)) as Functions['invoke'],
};

const requestData = createDataApi(url, SUPABASE_PUBLISHABLE_KEY, async () => {
  const { data } = await auth.getSession();
  return data.session?.access_token;
});

export const supabase = { auth, functions, requestData };
