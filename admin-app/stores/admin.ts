/** Stores and actions of the admin pages, connected to the backend. */
import { extendSession } from '../api/admin-session.ts';
import { createAskingPricesApi } from '../api/asking-prices.ts';
import { readBotCheckProblem } from '../api/bot-check-problem.ts';
import { createFindApi } from '../api/find-offers.ts';
import { readSiteProblems } from '../api/health.ts';
import { createMessageLinesApi } from '../api/message-lines.ts';
import { createMessageStatusApi } from '../api/message-status.ts';
import { createNewOffersApi } from '../api/new-offers.ts';
import { createOfferHistoryApi } from '../api/offer-history.ts';
import { createOffersApi } from '../api/offers.ts';
import { authenticate, supabase } from '../api/supabase.ts';
import { SessionEnded } from '../api/with-fresh-token.ts';
import { createAskingPrices } from './asking-prices.ts';
import { createCopy } from './copy.ts';
import { createFindOffers } from './find-offers.ts';
import { createLinkedOffer } from './linked-offer.ts';
import { isListIdle } from './list-idle.ts';
import { createMessageLines } from './message-lines.ts';
import { createMessages } from './messages.ts';
import { createNewOffers } from './new-offers.ts';
import { createOfferHistory } from './offer-history.ts';
import { createOffers } from './offers.ts';
import { createPoller } from './poll.ts';
import { createSession } from './session.ts';
import { createSignIn } from './sign-in.ts';
import { createSiteProblems, SITE_POLL_INTERVAL_MS } from './site-problems.ts';
import { createUndo } from './undo.ts';

export type { Session } from './session.ts';

const session = createSession(supabase.auth, () => extendSession(supabase));
export const { $session, signOut } = session;

export const { $signIn, signIn } = createSignIn(authenticate);

const offersApi = createOffersApi(supabase);
const offers = createOffers(offersApi, session.endSession);
export const { $offers, $updateErrors, reloadOffers, viewRows, loadMoreHeld, clearUpdateError, clearError } =
  offers;

const find = createFindOffers(createFindApi(supabase), offersApi, offers);
export const { $filter, $text, $counts, $canFind, typeText, search, setFilter, clearFilter } = find;

const undos = createUndo(offers);
export const { $undo, changeStatus, undo, pauseUndo, resumeUndo, closeUndo, domainOfChange } = undos;

const histories = createOfferHistory(createOfferHistoryApi(supabase), session.endSession);
export const { $histories, toggleHistory, readHistory } = histories;

const messageLines = createMessageLines(createMessageLinesApi(supabase), session.endSession);
export const { $messageLines, requestMessageLine } = messageLines;

const prices = createAskingPrices(createAskingPricesApi(supabase), offers, session.endSession);
export const { $listings } = prices;

const site = createSiteProblems(readSiteProblems, readBotCheckProblem);
export const { $siteProblems } = site;

// Rejects where the browser has no clipboard, as on http except localhost.
export const { $copied, copy } = createCopy(async (text) => navigator.clipboard.writeText(text));

const pollNow = () => poller.pollNow();

const newOffers = createNewOffers(
  createNewOffersApi(supabase),
  // A filtered list does not have all known offers.
  { $offers: find.$allOffers, reloadOffers },
  () => !find.isFiltered() && isListIdle(),
  pollNow,
);
export const { $waiting, $pending, $unseen, markSeen } = newOffers;

const messages = createMessages(createMessageStatusApi(supabase), pollNow);
export const { $messages, $retry, $rejectedConfirmations, retryMessages, dismissMessage } = messages;

newOffers.$pending.listen((pending) => {
  if (pending !== undefined && pending !== $counts.get()?.status.pending) find.updateCounts();
});
$counts.listen((counts) => {
  if (counts) newOffers.$pending.set(counts.status.pending);
});

const linkedOffer = createLinkedOffer(offersApi, offers);
export const { $linked, linkedOfferFocused, closeLink } = linkedOffer;
$filter.listen(closeLink);

/** Shows what the URL's fragment names: a filtered list or an offer. */
export function openView(fragment: string): void {
  find.openView(fragment);
  void linkedOffer.openLink(fragment);
}

// Does not extend the session: only signing in and refreshing the access token do.
const poller = createPoller(
  [messages.checkMessages, newOffers.checkNewOffers, (signal) => find.checkFound(signal, isListIdle)],
  (error) => {
    if (error instanceof SessionEnded) void session.endSession();
  },
);

const sitePoller = createPoller([site.checkSite], undefined, SITE_POLL_INTERVAL_MS);

/** Reads the list and the state of the site again. */
export function refresh(): void {
  void offers.loadOffers();
  sitePoller.pollNow();
}

/** Reads everything and keeps it current. @returns a function that stops it and clears everything */
export function openDashboard(): () => void {
  void offers.loadOffers();
  const stop = poller.start();
  const stopSite = sitePoller.start();
  return () => {
    stop();
    stopSite();
    newOffers.forgetNewOffers();
    find.forgetFilter();
    undos.forgetChanges();
    histories.forgetHistories();
    messageLines.resetMessageLines();
    messages.forgetMessages();
    prices.forgetPrices();
    site.forgetSite();
    offers.forgetOffers();
  };
}
