/** State and asking price of names, from the catalogue as it was last published. */
import * as z from 'zod/mini';
import { callDashboardFunction, type DashboardClient } from './dashboard-function.ts';

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

export function createAskingPricesApi(client: DashboardClient) {
  return {
    /**
     * Names that are not in the catalogue are missing in the result.
     * @param names at most `MAX_NAMES`
     */
    readAskingPrices: (names: readonly string[], signal: AbortSignal) =>
      callDashboardFunction(client, 'asking_prices', { names }, z.array(ListingSchema), signal),
  };
}

export type AskingPricesApi = ReturnType<typeof createAskingPricesApi>;
