import type { ReactNode } from 'react';
import type { Offer, OfferStatus } from '#contract/offer.ts';
import { formatDate, isoTime } from './format-date.ts';
import { mailtoLink } from './mailto-link.ts';
import { OfferedDomain } from './OfferedDomain.tsx';
import { StatusBadge } from './StatusBadge.tsx';
import { StatusSelect } from './StatusSelect.tsx';
import { VisitorText } from './VisitorText.tsx';

interface Column {
  title: string;
  Cell: (row: { offer: Offer; chosen: OfferStatus | undefined }) => ReactNode;
}

export const COLUMNS: readonly Column[] = [
  { title: 'Domain', Cell: ({ offer }) => <OfferedDomain name={offer.domain_name} /> },
  { title: 'Offer', Cell: ({ offer }) => <VisitorText title="Offer" text={offer.offer_amount} /> },
  { title: 'Customer', Cell: ({ offer }) => <VisitorText title="Customer" text={offer.customer_name} /> },
  {
    title: 'Email',
    Cell: ({ offer }) => (
      <a href={mailtoLink(offer.customer_email)}>
        <bdi>{offer.customer_email}</bdi>
      </a>
    ),
  },
  {
    title: 'Date',
    Cell: ({ offer }) => <time dateTime={isoTime(offer.created_at)}>{formatDate(offer.created_at)}</time>,
  },
  { title: 'Status', Cell: ({ offer }) => <StatusBadge status={offer.status} /> },
  { title: 'Actions', Cell: StatusSelect },
];
