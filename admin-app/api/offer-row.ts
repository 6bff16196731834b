import * as z from 'zod/mini';
import { OfferSchema } from '#contract/offer.ts';

/** A row of the table `offers` with its message. Not in the contract: the storefront's script has that, too. */
export const OfferRowSchema = z.object({
  ...OfferSchema.shape,
  message: z.optional(z.nullable(z.string())),
});
