/** State and asking price of names, from the catalogue as it was last published. */
import type { SupabaseClient } from '@supabase/supabase-js';
import * as z from 'zod/mini';
import { callDashboardFunction, type Unavailable } from './dashboard-function.ts';

/** Maximum number of names in a call. A body of 200 names of 253 characters is below the server's 64 KiB. */
export const MAX_NAMES = 200;

const ListingSchema = z.object({
  name: z.string(),
  /** `for_sale`, `sold` or `reserved`; a later version may have others. */
  state: z.string(),
  /** The owner's text. */
  price: z.nullish(z.string()),
});
export type Listing = z.infer<typeof ListingSchema>;

export interface AskingPricesApi {
  /**
   * Names that are not in the catalogue are missing in the result.
   * @param names at most `MAX_NAMES`
   * @throws SessionEnded, or Error
   */
  readAskingPrices(names: readonly string[]): Promise<Listing[] | Unavailable>;
}

export function createAskingPricesApi(client: Pick<SupabaseClient, 'rpc' | 'auth'>): AskingPricesApi {
  return {
    readAskingPrices: (names) =>
      callDashboardFunction(client, 'asking_prices', { names }, z.array(ListingSchema)),
  };
}
