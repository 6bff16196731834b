/** Ways to pay: a template, links for a deal, and a closing text, with a date and without. */
import { testWithShop } from '../test-with-shop.ts';

const TEMPLATE = 'https://pay.example/{label}?amount={amount}&ref={reference}';
/** Where a link for a deal may go. */
export const PAY_HOST = 'checkout.example';

export const test = testWithShop({
  name: 'deals',
  catalogue: {
    settings: {
      contact: 'offers@example.com',
      links: [{ text: '+1 555 0100', url: 'tel:+15550100' }],
      checkoutHosts: [PAY_HOST],
      payDays: 7,
      closing: 'Transfer **{amount}** to account 12-34.\n\nName the reference {reference}.',
    },
    domains: [
      { name: 'lap.app', price: '$4,500', checkout: TEMPLATE },
      { name: 'host.example', price: '$4,500' },
      // Is sold by a test.
      { name: 'moon.example', price: '$4,500', checkout: TEMPLATE },
    ],
  },
});
