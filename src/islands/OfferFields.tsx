import type { FormTexts } from '../i18n/messages.ts';

interface Props {
  texts: FormTexts;
  /** The name of the rejected field; `OfferFailure` shows the reason. */
  rejected: string | undefined;
}

/** The form's fields. Without `maxlength`: a truncated paste would go unnoticed, an error message does not. */
export function OfferFields({ texts, rejected }: Props) {
  const field = (name: string, hint = '') => ({
    name,
    required: true,
    'aria-invalid': name === rejected || undefined,
    'aria-describedby': (name === rejected ? 'offer-failure ' : '') + hint || undefined,
  });
  return (
    <>
      <div className="field">
        <label htmlFor="offer-amount">{texts.labels.offer_amount}</label>
        <input id="offer-amount" autoComplete="off" {...field('offer_amount', 'offer-hint')} />
        <small id="offer-hint">{texts.offerHint}</small>
      </div>
      <div className="field">
        <label htmlFor="customer-name">{texts.labels.customer_name}</label>
        <input id="customer-name" autoComplete="name" {...field('customer_name')} />
      </div>
      <div className="field">
        <label htmlFor="customer-email">{texts.labels.customer_email}</label>
        <input id="customer-email" type="email" autoComplete="email" {...field('customer_email')} />
      </div>
    </>
  );
}
