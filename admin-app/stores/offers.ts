/** All offers, as the dashboard shows them, and what an administrator does with them. */
import { atom, map } from 'nanostores';
import type { OfferStatus } from '#contract/offer.ts';
import type { OffersApi, OffersReader } from '../api/offers.ts';
import { SessionEnded } from '../api/with-fresh-token.ts';
import { listWithStatus, type OfferList, pagesOfRows, upTo, withPage, withStatus } from './offer-list.ts';
import { type HeldOffers, readHeldOffers, readOffers, withOlder } from './read-offers.ts';

export type Offers = { status: 'loading' } | { status: 'failed'; message: string } | LoadedOffers;

export interface LoadedOffers {
  readonly status: 'loaded';
  readonly list: OfferList;
  /** Shown in a table of their own. */
  readonly held: HeldOffers;
  /** More or newer offers are being loaded. */
  readonly reloading: boolean;
  /** Selected statuses that the server has not confirmed yet, by offer id. */
  readonly saving: ReadonlyMap<string, OfferStatus>;
  /** The last error of loading; cleared by the next attempt. */
  readonly error?: string | undefined;
}

/** Whether there are no offers, held ones included. */
export function isEmptyList({ list, held }: LoadedOffers): boolean {
  return list.index.total + held.offers.length === 0;
}

const CHANGED_MEANWHILE = 'This offer was changed in the meantime. The list has been reloaded.';

const NONE_HELD: HeldOffers = { offers: [], hasMore: false };

/** @param onSessionEnded is called where the server has ended the session */
export function createOffers(api: OffersApi, onSessionEnded: () => void = () => {}) {
  const $offers = atom<Offers>({ status: 'loading' });
  /** The last error of saving a status, by offer id; cleared by the next attempt. */
  const $updateErrors = map<Readonly<Record<string, string>>>({});
  /** What the list is to be read from: all offers, or those of a filter. */
  let wanted: OffersReader = api;
  /** What the list on the screen was read from. */
  let shown: OffersReader = api;
  /** Whether the dashboard is open, so that another list is read at once. */
  let isOpen = false;
  /** Incremented by each reading, so that responses of older ones are dropped. */
  let round = 0;
  /** Incremented on sign-out, so that late responses of the previous session are dropped. */
  let signOuts = 0;
  /** Selected statuses that the server has not confirmed yet, by offer id; also of offers that left the list. */
  const choices = new Map<string, OfferStatus>();
  /** The rows on the screen of a long list. */
  let inView: readonly [first: number, last: number] = [0, 0];

  function show(reader: OffersReader, list: OfferList, held: HeldOffers, reloading: boolean) {
    shown = reader;
    const now = $offers.get();
    const kept = now.status === 'loaded' ? now : { status: 'loaded' as const, saving: new Map(choices) };
    $offers.set({ ...kept, list, held, reloading });
  }

  function patch(change: (now: LoadedOffers) => Partial<LoadedOffers>) {
    const now = $offers.get();
    if (now.status === 'loaded') $offers.set({ ...now, ...change(now) });
  }

  function showError(message: string) {
    // Not over the rows of another filter.
    if ($offers.get().status === 'loaded' && shown === wanted) patch(() => ({ error: message }));
    else $offers.set({ status: 'failed', message });
  }

  /** Reads the list for the first time, or after Refresh. */
  async function loadOffers(): Promise<void> {
    isOpen = true;
    $updateErrors.set({});
    showLoading();
    await reloadOffers();
  }

  /** Reads the list from another reader, from now on. */
  async function readFrom(reader: OffersReader): Promise<void> {
    if (reader === wanted) return;
    wanted = reader;
    inView = [0, 0];
    if (!isOpen) return;
    showLoading();
    await reloadOffers();
  }

  function showLoading() {
    if ($offers.get().status === 'loaded') patch(() => ({ error: undefined, reloading: true }));
    else $offers.set({ status: 'loading' });
  }

  /** Whether the list on the screen was read from this reader. */
  function isShowing(reader: OffersReader): boolean {
    return shown === reader;
  }

  /**
   * Reads the list again. The rows on the screen stay until it is there, those of another reader until its first page is.
   * @param options.quiet shows no error
   * @returns whether the list now comes from this reading
   */
  async function reloadOffers({ quiet = false } = {}): Promise<boolean> {
    round += 1;
    const mine = round;
    const reader = wanted;
    const now = $offers.get();
    const before = now.status === 'loaded' && shown === reader ? now : undefined;
    try {
      const [list, held] = await Promise.all([
        readOffers(reader, inView, (first) => {
          if (!before && mine === round) show(reader, first, NONE_HELD, true);
        }),
        readHeldOffers(reader, before?.held.offers.length ?? 0),
      ]);
      if (mine !== round) return false;
      show(reader, list, held, false);
      return true;
    } catch (error) {
      if (mine !== round) return false;
      patch(() => ({ reloading: false }));
      const message = messageOf(error, 'Failed to fetch offers');
      if (!quiet) showError(message);
      return false;
    }
  }

  /** Adds the next page of held offers. */
  async function loadMoreHeld(): Promise<void> {
    const now = $offers.get();
    if (now.status !== 'loaded') return;
    const mine = round;
    try {
      const held = await withOlder(shown, now.held);
      if (mine === round) patch(() => ({ held }));
    } catch (error) {
      if (mine === round) showError(messageOf(error, 'Failed to fetch offers'));
    }
  }

  /** Sets the rows of a long list that are in view or near it, and fetches the missing ones. */
  async function viewRows(first: number, last: number): Promise<void> {
    inView = [first, last];
    const now = $offers.get();
    if (now.status !== 'loaded') return;
    const { index, pages } = now.list;
    const missing = pagesOfRows(index, first, last).filter((page) => !pages.has(page));
    await Promise.all(missing.map((page) => fetchPage(index, page)));
  }

  /** Keys of pages being fetched. A key belongs to one list, so a reload starts with none. */
  const underWay = new WeakSet<object>();

  async function fetchPage(index: OfferList['index'], page: number): Promise<void> {
    const key = index.keys[page];
    if (!key || underWay.has(key)) return;
    underWay.add(key);
    const stillShown = () => {
      const now = $offers.get();
      return now.status === 'loaded' && now.list.index === index;
    };
    try {
      const offers = upTo(await shown.readPage(key), index.keys[page + 1]);
      if (stillShown()) patch(({ list }) => ({ list: withPage(list, page, offers) }));
    } catch (error) {
      if (stillShown()) showError(messageOf(error, 'Failed to fetch offers'));
    } finally {
      underWay.delete(key);
    }
  }

  /**
   * Sets an offer's status, then reloads the list. While a change is in flight, only the latest selection is queued:
   * arrow keys step through the statuses in between. The offer need not be in the list: undoing a change is possible
   * after a filter hid it.
   * @param seen the status that was shown; if the offer has another one by now, it is not changed
   */
  async function setStatus(id: string, seen: string, status: OfferStatus): Promise<void> {
    if (!isOpen) return;
    const isSaving = choices.has(id);
    choices.set(id, status);
    patch(() => ({ saving: new Map(choices), error: undefined }));
    clearUpdateError(id);
    if (isSaving) return;

    const mine = signOuts;
    const failure = await saveChoices(id, seen, () => mine === signOuts);
    if (mine !== signOuts) return;
    choices.delete(id);
    patch(() => ({ saving: new Map(choices) }));
    const isNews = failure !== undefined && failure !== CHANGED_MEANWHILE;
    if (isNews) $updateErrors.setKey(id, failure);
    // Also after a failure: the change may be stored although its response was lost.
    const reloaded = await reloadOffers({ quiet: isNews });
    if (failure === CHANGED_MEANWHILE && reloaded && mine === signOuts) $updateErrors.setKey(id, failure);
  }

  /** Dismisses the error of saving a status. */
  function clearUpdateError(id: string): void {
    const { [id]: cleared, ...others } = $updateErrors.get();
    if (cleared !== undefined) $updateErrors.set(others);
  }

  /** Dismisses the error of loading. */
  function clearError(): void {
    patch(() => ({ error: undefined }));
  }

  /** Saves the selected status until no newer one is queued. @returns the error message, if any */
  async function saveChoices(id: string, seen: string, goOn: () => boolean): Promise<string | undefined> {
    for (let saved = seen; goOn(); ) {
      const chosen = choices.get(id);
      if (chosen === undefined || chosen === saved) return;
      try {
        if ((await api.changeStatus(id, saved, chosen)) === 'conflict') return CHANGED_MEANWHILE;
      } catch (error) {
        return messageOf(error, 'Failed to update offer status');
      }
      if (goOn()) {
        patch(({ list, held }) => ({
          list: listWithStatus(list, id, chosen),
          held: { ...held, offers: withStatus(held.offers, id, chosen) },
        }));
      }
      saved = chosen;
    }
    return;
  }

  /** Clears all offers on sign-out; late responses are dropped. */
  function forgetOffers(): void {
    round += 1;
    signOuts += 1;
    inView = [0, 0];
    isOpen = false;
    wanted = api;
    choices.clear();
    $updateErrors.set({});
    $offers.set({ status: 'loading' });
  }

  function messageOf(error: unknown, otherwise: string): string {
    if (error instanceof SessionEnded) onSessionEnded();
    else console.error(otherwise, error);
    return (error instanceof Error && error.message) || otherwise;
  }

  return {
    $offers,
    $updateErrors,
    loadOffers,
    readFrom,
    isShowing,
    reloadOffers,
    viewRows,
    loadMoreHeld,
    setStatus,
    clearUpdateError,
    clearError,
    forgetOffers,
  };
}

export type OffersStore = ReturnType<typeof createOffers>;
