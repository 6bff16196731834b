/** Reads the amounts of offers and moves that no reader has read yet: those from before amounts were stored. */
import type { Currencies } from '#contract/currency-signs.ts';
import { priceOf, readAmount } from '#contract/price-of.ts';
import type { Project } from './project.ts';

/** In pages; what is read once never changes, so that it can be stopped and repeated. */
export async function readUnreadAmounts(project: Project, currencies: Currencies | undefined): Promise<void> {
  for (;;) {
    const unread = await project.call('read_unread_amounts', {});
    if (unread.length === 0) return;
    const amounts = unread.map(({ offer_id, number, text, price, minimum_currency }) => {
      const currency = priceOf(price ?? '', currencies)?.currency ?? minimum_currency ?? undefined;
      return { offer_id, number, price: readAmount(text, { currency, currencies }) };
    });
    await project.call('store_amounts', { amounts });
  }
}
