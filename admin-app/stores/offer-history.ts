/** The opened histories of offers. They stay open while their rows are scrolled off the page. */
import { map } from 'nanostores';
import type { OfferHistory, OfferHistoryApi } from '../api/offer-history.ts';
import { SessionEnded } from '../api/with-fresh-token.ts';

export type OpenHistory =
  | { status: 'loading' }
  | ({ status: 'loaded' } & OfferHistory)
  | { status: 'failed' };

/** @param onSessionEnded is called where the server has ended the session */
export function createOfferHistory(api: OfferHistoryApi, onSessionEnded: () => void = () => {}) {
  /** The opened ones, by offer id. */
  const $histories = map<Readonly<Record<string, OpenHistory>>>({});
  /** The last request of each offer: responses of older ones are dropped. */
  const requests = new Map<string, object>();

  function toggleHistory(id: string): void {
    if (!Object.hasOwn($histories.get(), id)) return void readHistory(id);
    const { [id]: _, ...others } = $histories.get();
    requests.delete(id);
    $histories.set(others);
  }

  /** Opens a history, or reads an open one again while its changes stay visible. */
  async function readHistory(id: string): Promise<void> {
    const mine = {};
    requests.set(id, mine);
    if ($histories.get()[id]?.status !== 'loaded') $histories.setKey(id, { status: 'loading' });
    const history = await api.readHistory(id).then(
      (history): OpenHistory => (history === 'unavailable' ? FAILED : { status: 'loaded', ...history }),
      (error) => {
        if (error instanceof SessionEnded) onSessionEnded();
        else console.error('Failed to load the history of an offer', error);
        return FAILED;
      },
    );
    if (requests.get(id) === mine) $histories.setKey(id, history);
  }

  /** Closes all on sign-out. */
  function forgetHistories(): void {
    requests.clear();
    $histories.set({});
  }

  return { $histories, toggleHistory, readHistory, forgetHistories };
}

const FAILED: OpenHistory = { status: 'failed' };
