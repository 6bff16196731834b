import type { ReactNode } from 'react';
import type { Returned } from '#contract/calls.ts';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import type { StoredMove } from '#contract/negotiation.ts';
import type { Offer } from '#contract/offer.ts';
import { shownAmountOf } from '#contract/shown-amount.ts';
import { formatDateWithZone } from './format-date.ts';

type StatusChange = Returned<'offer_history'>[number];

const VERBS: Readonly<Record<string, string>> = {
  offer: 'offered',
  counter: 'countered',
  accept: 'accepted',
  decline: 'declined',
  withdraw: 'withdrew the offer',
  take_back: 'took the acceptance back',
  close: 'closed the offer by its status',
};

interface Props {
  offer: Offer;
  /** None where the backend has no negotiations, or while they are loaded. */
  moves: readonly StoredMove[];
  changes: readonly StatusChange[];
}

/** What happened to an offer, oldest first: received, moves, and changes of the status. */
export function Timeline({ offer, moves, changes }: Props) {
  const { offer_amount, customer_name, created_at } = offer;
  const received = { number: 1, side: 'buyer', kind: 'offer', amount: offer_amount, at: created_at } as const;
  const all = moves.length > 0 ? moves : [received];
  // A move and the change that it made have the same time, to the microsecond.
  const byHand = changes.filter(({ changed_at }) => !all.some(({ at }) => at === changed_at));
  const entries = [
    ...all.map((move, index) => {
      const change = changes.find(({ changed_at }) => changed_at === move.at);
      return {
        at: move.at,
        entry: (
          <Move
            key={move.number}
            {...{ move, change }}
            before={all.slice(0, index)}
            customer={customer_name}
          />
        ),
      };
    }),
    ...byHand.map((change) => ({
      at: change.changed_at,
      entry: <Change key={change.changed_at + change.new_status} change={change} />,
    })),
  ];
  return (
    <section aria-label="Timeline">
      <h3>Timeline</h3>
      <ol className="moves">
        {entries.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).map(({ entry }) => entry)}
      </ol>
    </section>
  );
}

interface MoveProps {
  move: StoredMove;
  /** The moves before it. */
  before: readonly StoredMove[];
  /** Of the status, by this move. */
  change: StatusChange | undefined;
  customer: string;
}

function Move({ move, before, change, customer }: MoveProps): ReactNode {
  const { number, side, kind, amount, at, by, valid_until, note } = move;
  const { text, isClear } = shownAmountOf([...before, move], 'en');
  return (
    <li className={side === 'owner' ? 'mine' : undefined}>
      <b>
        <bdi>{side === 'owner' ? 'You' : withoutDirectionMarks(customer)}</bdi> {VERBS[kind] ?? kind}{' '}
        {(amount || kind === 'accept') && (
          <bdi translate={isClear ? 'no' : undefined}>{withoutDirectionMarks(text)}</bdi>
        )}
      </b>
      <span>
        {number === 1 && 'Received '}
        {formatDateWithZone(at)}
        <By email={by} />
        {valid_until && ` · valid until ${formatDateWithZone(valid_until)}`}
        {change && ` · ${change.old_status} → ${change.new_status}`}
      </span>
      {note && <q>{withoutDirectionMarks(note)}</q>}
    </li>
  );
}

function Change({
  change: { old_status, new_status, changed_at, changed_by_email },
}: {
  change: StatusChange;
}) {
  return (
    <li className="change">
      <b>
        {old_status} → {new_status}
      </b>
      <span>
        {formatDateWithZone(changed_at)}
        <By email={changed_by_email} />
      </span>
    </li>
  );
}

function By({ email }: { email: string | null | undefined }) {
  if (!email) return null;
  return (
    <>
      {' by '}
      <bdi>{email}</bdi>
    </>
  );
}
