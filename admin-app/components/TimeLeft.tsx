import { useStore } from '@nanostores/react';
import { createContext, useContext } from 'react';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import type { Offer } from '#contract/offer.ts';
import { type StoredAmount, shownMove } from '#contract/shown-amount.ts';
import { $now } from '../stores/admin.ts';
import { changedAmount, type Standings } from '../stores/standings.ts';
import { type Turn, timeLeft, turnOf } from './time-left.ts';

/** The catalogue's setting `replyWithin`. */
export const ReplyWithin = createContext<string | undefined>(undefined);

/** The standings of the offers in the list, as far as they are known. */
export const ShownStandings = createContext<Standings>({});

/** Whose move it is, or what is left of the promised time, below the badge. */
export function TimeLeft({ offer }: { offer: Offer }) {
  const turn = useTurn(offer);
  return turn ? (
    <span className="time-left" data-tone={turn.tone}>
      {turn.text}
    </span>
  ) : null;
}

/** Whether the next move is the owner's. After the agreement none is. */
export function useWaitsForOwner(offer: Offer): boolean {
  return useTurn(offer)?.tone !== undefined && offer.status !== 'accepted';
}

function useTurn(offer: Offer): Turn | undefined {
  const standing = useContext(ShownStandings)[offer.id];
  const now = useStore($now);
  const replyWithin = useContext(ReplyWithin);
  if (standing) return turnOf(offer, standing, now, replyWithin);
  if (offer.status !== 'pending' || offer.low || offer.held) return undefined;
  const left = timeLeft(offer.created_at, now, replyWithin);
  return left && { text: left.text, tone: left.isOver ? 'overdue' : 'yours' };
}

/** What the amount has become by moves, beside the offer as entered. */
export function CurrentAmount({ offer }: { offer: Offer }) {
  const changed = changedAmount(offer, useContext(ShownStandings)[offer.id]);
  if (!changed) return null;
  const { text, isClear } = shownMove(changed, 'en');
  const amount = withoutDirectionMarks(text);
  const word = changed.kind === 'accept' ? 'agreed' : 'now';
  return (
    <span key={word + amount}>
      {' '}
      <b className="current">
        {word} <bdi translate={isClear ? 'no' : undefined}>{amount}</bdi>
      </b>
    </span>
  );
}

/** The amount that counts, with what was read in it. */
export function useOffered(offer: Offer): StoredAmount {
  const changed = changedAmount(offer, useContext(ShownStandings)[offer.id]);
  if (!changed) return { ...offer, amount: offer.offer_amount };
  // As the list shows it.
  return { ...changed, amount: shownMove(changed, 'en').text };
}
