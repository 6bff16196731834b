import { useStore } from '@nanostores/react';
import { lazy, Suspense, useRef, useState } from 'react';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import type { Offer } from '#contract/offer.ts';
import { $copied, copy } from '../stores/admin.ts';
import { Icon } from './Icon.tsx';
import { PageLink } from './PageLink.tsx';
import { useShownName } from './shown-names.ts';
import './offer-menu.css';

/** Loaded once a menu is opened. */
const loadQuestion = () => import('./RemoveOffer.tsx');
const RemoveOffer = lazy(loadQuestion);

/** What is seldom done with an offer. Removing it is last, behind a line, and asks. */
export function OfferMenu({ offer }: { offer: Offer }) {
  const [shown, setShown] = useState<'menu' | 'question'>();
  const button = useRef<HTMLButtonElement>(null);
  const customer = withoutDirectionMarks(offer.customer_name);
  const domain = useShownName(offer.domain_name);
  const isOpen = shown === 'menu';
  const close = () => setShown(undefined);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: closes what its buttons open
    <span
      className="offer-menu"
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return;
        close();
        button.current?.focus();
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (isOpen && !currentTarget.contains(relatedTarget)) close();
      }}
    >
      <button
        ref={button}
        type="button"
        className="icon"
        aria-label={`More for the offer of ${customer} for ${domain}`}
        aria-expanded={isOpen}
        onClick={({ currentTarget }) => {
          setShown(isOpen ? undefined : 'menu');
          // Otherwise the question loads it again.
          loadQuestion().catch(() => {});
          // Safari gives no button the focus that is pressed, and what loses it closes the menu.
          currentTarget.focus();
        }}
      >
        <Icon name="more" />
      </button>
      {isOpen && (
        <div ref={showWhole} className="menu" tabIndex={-1}>
          <CopyEmail offer={offer} customer={customer} />
          <PageLink page="names" fragment={`#q=${encodeURIComponent(offer.domain_name)}`}>
            Show in Names
          </PageLink>
          <hr />
          <button
            type="button"
            aria-label={`Remove the offer of ${customer} for ${domain}`}
            onClick={() => {
              // The question gives the focus back to it.
              button.current?.focus();
              setShown('question');
            }}
          >
            Remove…
          </button>
        </div>
      )}
      <Suspense>{shown === 'question' && <RemoveOffer offer={offer} onClose={close} />}</Suspense>
    </span>
  );
}

function CopyEmail({ offer: { id, customer_email }, customer }: { offer: Offer; customer: string }) {
  const copied = useStore($copied);
  const by = `email ${id}`;
  const text = copied?.by !== by ? 'Copy email' : copied.isCopied ? 'Copied' : 'Not copied';
  return (
    <button type="button" aria-label={`Copy email of ${customer}`} onClick={() => copy(customer_email, by)}>
      <span key={text}>{text}</span>
    </button>
  );
}

/** Above its button where it would end below the window: a page that it made longer would move away from the next press. */
function showWhole(menu: HTMLElement | null): void {
  if (!menu) return;
  const { top, bottom, height } = menu.getBoundingClientRect();
  menu.toggleAttribute('data-above', bottom > innerHeight && top > 2 * height);
  menu.scrollIntoView({ block: 'nearest' });
}
