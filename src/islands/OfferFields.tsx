import type { FormTexts } from '../texts/texts.ts';

/** What the visitor fills in. No length is enforced here: a cut-off paste would go unnoticed, the function's word not. */
export function OfferFields({ texts }: { texts: FormTexts }) {
  return (
    <>
      <div className="field">
        <label htmlFor="offer-amount">{texts.offer}</label>
        <input
          id="offer-amount"
          name="offer_amount"
          required
          autoComplete="off"
          aria-describedby="offer-hint"
        />
        <small id="offer-hint">{texts.offerHint}</small>
      </div>
      <div className="field">
        <label htmlFor="customer-name">{texts.name}</label>
        <input id="customer-name" name="customer_name" required autoComplete="name" />
      </div>
      <div className="field">
        <label htmlFor="customer-email">{texts.email}</label>
        <input id="customer-email" name="customer_email" type="email" required autoComplete="email" />
      </div>
    </>
  );
}
