import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import { amountOf, type StoredMove } from '#contract/negotiation.ts';
import { formatDateWithZone } from './format-date.ts';

const VERBS: Readonly<Record<string, string>> = {
  offer: 'offered',
  counter: 'countered',
  accept: 'accepted',
  decline: 'declined',
  withdraw: 'withdrew the offer',
  take_back: 'took the acceptance back',
  close: 'closed the offer by its status',
};

/** The moves so far, oldest first: who, what, when, until when. */
export function Moves({ moves, customer }: { moves: readonly StoredMove[]; customer: string }) {
  return (
    <section aria-label="Moves">
      <h3>Moves</h3>
      <ol className="moves">
        {moves.map(({ number, side, kind, amount, at, by, valid_until, note }, index) => (
          <li key={number} className={side === 'owner' ? 'mine' : undefined}>
            <b>
              <bdi>{side === 'owner' ? 'You' : withoutDirectionMarks(customer)}</bdi> {VERBS[kind] ?? kind}{' '}
              <bdi>
                {withoutDirectionMarks(amount ?? (kind === 'accept' ? amountOf(moves.slice(0, index)) : ''))}
              </bdi>
            </b>
            <span>
              {formatDateWithZone(at)}
              {by && (
                <>
                  {' by '}
                  <bdi>{by}</bdi>
                </>
              )}
              {valid_until && ` · valid until ${formatDateWithZone(valid_until)}`}
            </span>
            {note && <q>{withoutDirectionMarks(note)}</q>}
          </li>
        ))}
      </ol>
    </section>
  );
}
