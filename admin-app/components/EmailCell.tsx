import { createContext, Fragment, useContext } from 'react';
import type { Offer } from '#contract/offer.ts';
import { formatDate } from './format-date.ts';
import { mailtoLink } from './mailto-link.ts';
import { useShownName } from './shown-names.ts';
import './email-cell.css';

/** A link that begins a mail to the customer. */
export function EmailCell({ offer }: { offer: Offer }) {
  const { customer_email, domain_name, offer_amount, created_at } = offer;
  const href = mailtoLink({
    email: customer_email,
    domain: useShownName(domain_name),
    amount: offer_amount,
    date: formatDate(created_at),
  });
  return (
    <>
      <a className="email" href={href}>
        <bdi>{withBreaks(customer_email)}</bdi>
      </a>
      <RejectedMark id={offer.id} />
    </>
  );
}

/** May break after an at sign, a dot and a hyphen, and nowhere else. */
function withBreaks(email: string) {
  return email.split(/(?<=[@.-])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: an email never changes
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** Ids of offers whose confirmation the mail server rejected because of the customer's address. */
export const RejectedConfirmations = createContext<readonly string[]>([]);

function RejectedMark({ id }: { id: string }) {
  if (!useContext(RejectedConfirmations).includes(id)) return null;
  return <span className="state-mark">Confirmation rejected: the address may be wrong</span>;
}
