/** Stores and actions of the admin pages, connected to the backend. */
import { extendSession } from '../api/admin-session.ts';
import { readBotCheckProblem } from '../api/bot-check-problem.ts';
import { createCall } from '../api/call.ts';
import { readSiteProblems } from '../api/health.ts';
import { createOffersApi } from '../api/offers.ts';
import { authenticate, startClient, supabase } from '../api/supabase.ts';
import { createAskingPrices } from './asking-prices.ts';
import { createCopy } from './copy.ts';
import { createEarlierOffers } from './earlier-offers.ts';
import { createExport } from './export-offers.ts';
import { createFindOffers } from './find-offers.ts';
import { createLinkedOffer } from './linked-offer.ts';
import { createMessageLines } from './message-lines.ts';
import { createMessages } from './messages.ts';
import { createNewOffers } from './new-offers.ts';
import { createNow } from './now.ts';
import { createOfferHistory } from './offer-history.ts';
import { createOfferStatus } from './offer-status.ts';
import { createOffers } from './offers.ts';
import { createPage } from './page.ts';
import { createSession } from './session.ts';
import { createSessionCache } from './session-cache.ts';
import { createSignIn } from './sign-in.ts';
import { createSiteProblems } from './site-problems.ts';
import { createStandings } from './standings.ts';

export type { Session } from './session.ts';
export { startClient };

const session = createSession(supabase.auth, () => extendSession(supabase));
export const { $session, signOut } = session;

export const { $page, openPage } = createPage();

export const { $now } = createNow(supabase.auth);

/** @public of the stores that are loaded later */
export const cache = createSessionCache(() => void session.endSession());
export const { client } = cache;
// Signed out, or signed in as another user.
$session.listen(cache.clear);

export const { $signIn, $recoveryCodesLeft, signIn } = createSignIn(authenticate);

/**
 * Calls the database: for a component that alone shows the result.
 * @public
 */
export const call = createCall(supabase);
const offersApi = createOffersApi(supabase);
export const offersStore = createOffers(offersApi, cache);

const find = createFindOffers(offersStore, cache);
export const { $text, typeText, search, setFilter, clearFilter } = find;

export const { $choices, $undo, changeStatus, undo, clearUpdateError, removeOffer } = createOfferStatus(
  offersApi,
  offersStore,
  cache,
  async (id) => (await call('standings', { offer_ids: [id] }))[id]?.at,
);

const standings = createStandings(call);
export const { standingsQuery } = standings;

export const { exportOffers } = createExport(offersStore, standings, cache);

export const { $open, historyQuery, numbersQuery, openHistory, toggleHistory } = createOfferHistory(
  call,
  cache,
);

export const { $shownGroups, showGroup, toggleGroup } = createEarlierOffers(cache);

export const { messageLinesQuery } = createMessageLines(call);

export const { listingsQuery, polledListingQuery } = createAskingPrices(call, cache);

export const { siteQuery, botCheckQuery } = createSiteProblems(readSiteProblems, readBotCheckProblem);

// Rejects where the browser has no clipboard, as on http except localhost.
export const { $copied, copy } = createCopy(async (text) => navigator.clipboard.writeText(text));

// Does not extend the session: only signing in and refreshing the access token do.
export const { newOffersQuery, newCountsQuery } = createNewOffers(call, offersStore, cache, isListIdle);

export const { messagesQuery, retryMessages, dismissMessage } = createMessages(call, cache);

const linkedOffer = createLinkedOffer(offersApi, offersStore, cache);
export const { $linked, linkedOfferFocused, closeLink } = linkedOffer;

/** Reads the names again, with all that stands beside them. */
export function refreshNames(): void {
  void client.invalidateQueries({ queryKey: ['names'] });
}

/** Shows what the URL's fragment names: a filtered list or an offer. */
export function openView(fragment: string): void {
  find.openFilter(fragment);
  void linkedOffer.openLink(fragment);
}

/** Follows the fragment no more, as that of the next page. */
export function leaveView(): void {
  find.stopTyping();
  linkedOffer.closeLink();
}

/** Whether inserting rows at the top of the list moves nothing under the pointer or the focus. */
function isListIdle(): boolean {
  const tables = [...document.querySelectorAll('.dashboard table')];
  const top = tables[0]?.getBoundingClientRect().top ?? 0;
  return top >= 0 && !tables.some((table) => table.matches(':hover, :focus-within'));
}
