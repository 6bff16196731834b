import type { ReactNode } from 'react';
import type { Offer, OfferStatus } from '#contract/offer.ts';
import { AskingPrice } from './AskingPrice.tsx';
import { DateTime } from './DateTime.tsx';
import { EmailCell } from './EmailCell.tsx';
import { LinkMark } from './LinkMark.tsx';
import { LowMark } from './LowMark.tsx';
import { MessageLine } from './MessageLine.tsx';
import { NewMark } from './NewMark.tsx';
import { OfferedDomain } from './OfferedDomain.tsx';
import { HistoryButton, OfferHistory } from './OfferHistory.tsx';
import { StateMark } from './StateMark.tsx';
import { StatusSelect } from './StatusSelect.tsx';
import { TimeLeft } from './TimeLeft.tsx';
import { UpdateError } from './UpdateError.tsx';
import { VisitorText } from './VisitorText.tsx';
import './marks.css';
import './status.css';

interface Column {
  title: string;
  Cell: (row: { offer: Offer; chosen: OfferStatus | undefined; error: string | undefined }) => ReactNode;
}

export const COLUMNS: readonly Column[] = [
  {
    title: 'Domain',
    Cell: ({ offer }) => (
      <>
        <NewMark offer={offer} />
        <LinkMark id={offer.id} />
        <OfferedDomain name={offer.domain_name} />
        <StateMark domain={offer.domain_name} />
      </>
    ),
  },
  {
    title: 'Offer',
    Cell: ({ offer }) => (
      <>
        <VisitorText title="Offer" text={offer.offer_amount} />
        <AskingPrice domain={offer.domain_name} />
        <LowMark offer={offer} />
        {import.meta.env.OFFER_MESSAGE && <MessageLine id={offer.id} />}
      </>
    ),
  },
  { title: 'Customer', Cell: ({ offer }) => <VisitorText title="Customer" text={offer.customer_name} /> },
  { title: 'Email', Cell: EmailCell },
  { title: 'Date', Cell: ({ offer }) => <DateTime at={offer.created_at} /> },
  {
    title: 'Status',
    // As stored; grey where it is none of the four.
    Cell: ({ offer }) => (
      <span className="status" data-status={offer.status}>
        <span className="badge">{offer.status}</span>
        {offer.status === 'pending' && !offer.low && <TimeLeft createdAt={offer.created_at} />}
      </span>
    ),
  },
  {
    title: 'Actions',
    Cell: ({ offer, chosen, error }) => (
      <>
        <span className="actions" data-status={offer.status}>
          <StatusSelect offer={offer} chosen={chosen} />
          <HistoryButton offer={offer} />
        </span>
        <UpdateError id={offer.id} message={error} />
        <OfferHistory offer={offer} />
      </>
    ),
  },
];
