import { useStore } from '@nanostores/react';
import { useMutation } from '@tanstack/react-query';
import type { Offer } from '#contract/offer.ts';
import { $copied, copy } from '../stores/admin.ts';
import { negotiate } from '../stores/negotiation-admin.ts';
import { linkInDemo, mailtoWithLink } from './mailto-link.ts';
import { useShownName } from './shown-names.ts';

interface Props {
  offer: Offer;
  link: string;
  /** Of the page that the offer came from. */
  language: string | null | undefined;
  /** Whether the buyer's page has what the owner wants to see. */
  isOpened?: boolean;
}

/** Hands the buyer's link on, and replaces it. */
export function BuyerLink({
  offer: { id, customer_email, domain_name },
  link: given,
  language,
  isOpened = false,
}: Props) {
  const link = import.meta.env.DEMO ? linkInDemo(given, location) : given;
  const { mutate, isPending, error } = useMutation(negotiate);
  const domain = useShownName(domain_name);
  const copied = useStore($copied);
  const by = `link ${link}`;
  return (
    <>
      {/* A link that is being replaced is dead soon, and must not be handed on. */}
      <div className="links">
        {isOpened && (
          <a
            className="button quiet"
            aria-disabled={isPending}
            href={isPending ? undefined : link}
            target="_blank"
            rel="noreferrer"
          >
            Open the buyer’s page
          </a>
        )}
        <button
          type="button"
          className="button quiet"
          disabled={isPending}
          onClick={() => copy(link, by, 'Link')}
        >
          {copied?.by === by && copied.isCopied ? 'Copied' : 'Copy link'}
        </button>
        <a
          className="button quiet"
          aria-disabled={isPending}
          href={isPending ? undefined : mailtoWithLink({ email: customer_email, domain }, link, language)}
        >
          Write mail
        </a>
        <button
          type="button"
          className="button quiet"
          aria-disabled={isPending}
          onClick={() => !isPending && mutate({ id, new_link: true })}
        >
          New link
        </button>
      </div>
      <p>New link: the old one stops working. For a wrong address or a forwarded mail.</p>
      {error && (
        <p className="failed" role="alert">
          {error.message || 'Failed to send. Please try again.'}
        </p>
      )}
    </>
  );
}
