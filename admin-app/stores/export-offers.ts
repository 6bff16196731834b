/** The offers that the filter shows, as a CSV file that the browser writes. */
import { mutationOptions } from '@tanstack/react-query';
import { csvHead, csvLine } from '#contract/offers-csv.ts';
import { upTo } from './offer-list.ts';
import type { OffersStore } from './offers.ts';
import type { SessionCache } from './session-cache.ts';

/** @param save is replaced by tests */
export function createExport(
  { $filter, listQuery, pageQuery }: Pick<OffersStore, '$filter' | 'listQuery' | 'pageQuery'>,
  { client }: Pick<SessionCache, 'client'>,
  save = saveFile,
) {
  return {
    exportOffers: mutationOptions({
      meta: { failure: 'Failed to export the offers' },
      mutationFn: async () => {
        const { filter, index, newest } = await client.query(listQuery($filter.get()));
        const lines = [csvHead()];
        if (index.keys.length === 0) lines.push(...newest.map((offer) => csvLine(offer)));
        for (const [page, key] of index.keys.entries()) {
          // A query, so that the end of the session ends the export.
          const offers = await client.query({ ...pageQuery(filter, key), staleTime: 0, gcTime: 0 });
          lines.push(...upTo(offers, index.keys[page + 1]).map((offer) => csvLine(offer)));
        }
        save(lines);
      },
    }),
  };
}

function saveFile(lines: string[]): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(lines, { type: 'text/csv;charset=utf-8' }));
  link.download = 'offers.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}
