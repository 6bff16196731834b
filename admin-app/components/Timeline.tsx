import type { ReactNode } from 'react';
import type { Returned } from '#contract/calls.ts';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import type { Deal, Negotiation, StoredMove } from '#contract/negotiation.ts';
import type { Offer } from '#contract/offer.ts';
import { shownAmountOf } from '#contract/shown-amount.ts';
import { textOfChange } from './deal-changes.ts';
import { formatDate } from './format-date.ts';
import { Zone } from './Zone.tsx';

type StatusChange = Returned<'offer_history'>[number];

const VERBS: Readonly<Record<string, string>> = {
  offer: 'offered',
  counter: 'countered',
  accept: 'accepted',
  decline: 'declined',
  withdraw: 'withdrew the offer',
  take_back: 'took the acceptance back',
  fell_through: 'ended the deal: it fell through',
  close: 'closed the offer by its status',
};

interface Props {
  offer: Offer;
  /** None while it is loaded. */
  negotiation: Negotiation | undefined;
  changes: readonly StatusChange[];
}

/** What happened to an offer, oldest first: received, moves, changes of deals, and changes of the status. */
export function Timeline({ offer, negotiation, changes }: Props) {
  const { offer_amount, customer_name, created_at } = offer;
  const received = { number: 1, side: 'buyer', kind: 'offer', amount: offer_amount, at: created_at } as const;
  const { moves = [], deal, ended } = negotiation ?? {};
  const all = moves.length > 0 ? moves : [received];
  const deals = [...(ended ?? []), ...(deal ? [deal] : [])];
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
            about={aboutDeals(deals, move.at)}
            before={all.slice(0, index)}
            customer={customer_name}
          />
        ),
      };
    }),
    ...byHand.map((change) => ({
      at: change.changed_at,
      entry: (
        <Change
          key={change.changed_at + change.new_status}
          change={change}
          about={aboutDeals(deals, change.changed_at)}
        />
      ),
    })),
    ...deals.flatMap(({ reference, changes }) =>
      (changes ?? []).map((change) => ({
        at: change.at,
        entry: <ChangeOfDeal key={`${reference} ${change.number}`} change={change} />,
      })),
    ),
  ];
  return (
    <section aria-label="Timeline">
      <h3>Timeline</h3>
      <ol className="moves">
        {entries.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).map(({ entry }) => entry)}
      </ol>
      <Zone />
    </section>
  );
}

interface MoveProps {
  move: StoredMove;
  /** The moves before it. */
  before: readonly StoredMove[];
  /** Of the status, by this move. */
  change: StatusChange | undefined;
  /** Of the deal that it began or ended. */
  about: string;
  customer: string;
}

function Move({ move, before, change, about, customer }: MoveProps): ReactNode {
  const { number, side, amount, at, by, valid_until, note } = move;
  const kind = move.as === 'rejected' ? 'fell_through' : move.kind;
  const { text, isClear } = shownAmountOf([...before, move], 'en');
  return (
    <li className={side === 'owner' ? 'mine' : undefined}>
      <b>
        <bdi>{side === 'owner' ? 'You' : withoutDirectionMarks(customer)}</bdi> {VERBS[kind] ?? kind}{' '}
        {(amount || kind === 'accept') && (
          <bdi translate={isClear ? 'no' : undefined}>{withoutDirectionMarks(text)}</bdi>
        )}
      </b>
      <Facts
        at={`${number === 1 ? 'Received ' : ''}${formatDate(at)}`}
        by={by}
        about={
          (valid_until ? ` · valid until ${formatDate(valid_until)}` : '') +
          (change ? ` · ${change.old_status} → ${change.new_status}` : '') +
          about
        }
      />
      {note && <q>{withoutDirectionMarks(note)}</q>}
    </li>
  );
}

interface ChangeProps extends Pick<MoveProps, 'about'> {
  change: StatusChange;
}

function Change({ change: { old_status, new_status, changed_at, changed_by_email }, about }: ChangeProps) {
  return (
    <li className="change">
      <b>
        {old_status} → {new_status}
      </b>
      <Facts at={formatDate(changed_at)} by={changed_by_email} about={about} />
    </li>
  );
}

/** What a move or a status did to deals, which has the same time, to the microsecond. */
function aboutDeals(deals: readonly Deal[], at: string): string {
  return deals
    .flatMap(({ reference, agreed_at, ended_at }) => [
      ...(agreed_at === at ? [` · reference ${reference}`] : []),
      ...(ended_at === at ? [` · ${reference} ended`] : []),
    ])
    .join('');
}

type DealChange = NonNullable<Deal['changes']>[number];

function ChangeOfDeal({ change }: { change: DealChange }) {
  const text = textOfChange(change);
  return (
    <li className="mine">
      <b>
        <bdi key={text}>{text}</bdi>
      </b>
      <Facts at={formatDate(change.at)} by={change.by} />
    </li>
  );
}

interface FactsProps {
  at: string;
  by: string | null | undefined;
  about?: string;
}

/** When and by whom, and what else is known, some of it later: each text is an element, which a translator leaves in its place. */
function Facts({ at, by, about }: FactsProps) {
  return (
    <span>
      <span>{at}</span>
      {by && (
        <span>
          {' by '}
          <bdi>{by}</bdi>
        </span>
      )}
      {about && <span key={about}>{about}</span>}
    </span>
  );
}
