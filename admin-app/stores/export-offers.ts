/** The offers that the filter shows, as a CSV file that the browser writes. */
import { mutationOptions } from '@tanstack/react-query';
import type { Offer } from '#contract/offer.ts';
import type { ExportedOffer } from '#contract/offers-csv.ts';
import { upTo } from './offer-list.ts';
import type { OffersStore } from './offers.ts';
import { saveFile } from './save-file.ts';
import type { SessionCache } from './session-cache.ts';
import type { createStandings } from './standings.ts';

/** @param save is replaced by tests */
export function createExport(
  { $filter, listQuery, pageQuery }: Pick<OffersStore, '$filter' | 'listQuery' | 'pageQuery'>,
  { standingsQuery }: ReturnType<typeof createStandings>,
  { client }: Pick<SessionCache, 'client'>,
  save = (lines: string[]) => saveFile('offers.csv', lines),
) {
  async function exportedOf(offers: readonly Offer[]): Promise<ExportedOffer[]> {
    const standings = await client.query({ ...standingsQuery(offers), staleTime: 0, gcTime: 0 });
    return offers.map((offer) => {
      const moved = standings[offer.id];
      const current =
        moved?.amount === undefined
          ? { ...offer, amount: offer.offer_amount }
          : { ...moved, amount: moved.amount };
      const agreed = offer.status === 'accepted' ? current : undefined;
      return {
        ...offer,
        ...moved?.deal,
        current_amount: current.amount,
        current_value: current.value,
        current_currency: current.currency,
        agreed_amount: agreed?.amount,
        agreed_value: agreed?.value,
        agreed_currency: agreed?.currency,
      };
    });
  }

  return {
    exportOffers: mutationOptions({
      meta: { failure: 'Failed to export the offers' },
      mutationFn: async () => {
        const { filter, index, newest } = await client.query(listQuery($filter.get()));
        // Loaded once it is used.
        const { csvHead, csvLine } = await import('#contract/offers-csv.ts');
        const lines = [csvHead()];
        const add = async (offers: readonly Offer[]) =>
          lines.push(...(await exportedOf(offers)).map((offer) => csvLine(offer)));
        if (index.keys.length === 0) await add(newest);
        for (const [page, key] of index.keys.entries()) {
          // A query, so that the end of the session ends the export.
          const offers = await client.query({ ...pageQuery(filter, key), staleTime: 0, gcTime: 0 });
          await add(upTo(offers, index.keys[page + 1]));
        }
        save(lines);
      },
    }),
  };
}
