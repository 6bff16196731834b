import { useStore } from '@nanostores/react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import { type Deal, type DealStep, MAX_NOTE, type Move, type Negotiation } from '#contract/negotiation.ts';
import type { Offer } from '#contract/offer.ts';
import { type ShownAmount, shownMove, standingOf } from '#contract/shown-amount.ts';
import { $now, polledListingQuery } from '../stores/admin.ts';
import { canUndo, dealProblem, errorOf } from '../stores/negotiation.ts';
import {
  $drafts,
  $overtaken,
  $ticked,
  dropDraft,
  negotiate,
  writeDraft,
} from '../stores/negotiation-admin.ts';
import { CopyIcon } from './CopyEmail.tsx';
import { DomainName } from './DomainName.tsx';
import { DONE_WORDS, daysUntil, presentStep, type ShownStep, stepsOf, weekdayOf } from './deal-steps.ts';
import { formatDay } from './format-date.ts';
import { Icon } from './Icon.tsx';
import { useListing } from './listings.ts';
import { MovePreview } from './MovePreview.tsx';
import { NameState } from './NameState.tsx';
import { useShownName } from './shown-names.ts';

/** Shows a name that is ticked as sold so on the pages, too. Read once it is needed, with the stores of names. */
const showSold = async (name: string, isSold: boolean) =>
  (await import('../stores/names-admin.ts')).showSold(name, isSold);

export interface DealProps {
  offer: Offer;
  negotiation: Negotiation;
  deal: Deal;
}

/** What was agreed, and what was done since: one step after the other, each with its button. */
export function DealSteps({ offer, negotiation, deal }: DealProps) {
  const { id, customer_name, domain_name } = offer;
  useQuery(polledListingQuery(domain_name));
  const { ending } = useStore($drafts)[id] ?? {};
  const sending = useMutation(negotiate);
  const { mutateAsync, isPending, variables } = sending;
  const domain = useShownName(domain_name);
  const customer = withoutDirectionMarks(customer_name);
  // Of an acceptance by hand there is no move.
  const agreed = shownMove({ ...standingOf(negotiation.moves), kind: 'accept' }, 'en');
  const present = presentStep(deal);

  function tick(step: DealStep, isDone: boolean) {
    if (isPending) return;
    const { reference, seen } = deal;
    // Also where the row is closed meanwhile, which drops the callbacks of `mutate`.
    mutateAsync({ id, deal: { reference, seen: seen ?? 0, field: step, to: isDone } }).then(
      () => step === 'sold' && showSold(domain_name, isDone),
      () => {},
    );
  }

  const last = present === 'paid' ? undefined : lastOf(present);
  return (
    <section className="deal" aria-label={`Deal with ${customer} for ${domain}`}>
      <div className="head">
        <h3>
          Agreed: <Amount {...agreed} />
        </h3>
        <p>
          Reference <b translate="no">{deal.reference}</b>
          <CopyIcon text={deal.reference} label={`Copy reference of ${customer}`} what="Reference" />
        </p>
      </div>
      <ol className="deal-steps" aria-label="Steps of the deal">
        {stepsOf(deal).map((shown) => (
          <Step key={shown.step} {...{ shown, deal, agreed, name: domain_name }} hasButtons={!ending}>
            {shown.step !== 'agreed' && (
              <StepButton
                {...{ id, deal }}
                step={shown.step}
                isPresent={shown.step === present}
                isSaving={isPending && variables.deal?.field === shown.step}
                onTick={tick}
              />
            )}
          </Step>
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {last && `${DONE_WORDS[last]}.`}
      </p>
      <Problem error={errorOf(sending, negotiation)} />
      {ending && negotiation.can.includes('take_back') && (
        <EndQuestion {...{ offer, negotiation, deal, ending }} />
      )}
    </section>
  );
}

/** The step before the present one; the last of all where none is present. */
function lastOf(present: DealStep | undefined): DealStep {
  return present === 'transferred' ? 'paid' : present === 'sold' ? 'transferred' : 'sold';
}

/**
 * Moves the focus on where what had it goes: to the next step's button, or to the offer's status where the deal has ended. Not where
 * what takes its place has taken it.
 */
function useFocusHeir(ref: RefObject<HTMLElement | null>, id: string) {
  useLayoutEffect(() => {
    const { current } = ref;
    return () => {
      if (!current?.contains(document.activeElement)) return;
      const deal = current.closest('.deal');
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        const heir = deal?.isConnected
          ? (deal.querySelector<HTMLElement>('[data-next]') ?? deal.querySelector('button'))
          : document.querySelector<HTMLElement>(`select[data-offer="${CSS.escape(id)}"]`);
        heir?.focus({ preventScroll: true });
      });
    };
  }, [ref, id]);
}

export function Problem({ error, id }: { error: Error | null; id?: string }) {
  const text = dealProblem(error);
  return text === undefined ? null : (
    <p id={id} className="failed" role="alert">
      {text}
    </p>
  );
}

/** Reports that another administrator changed the deal first, above the new state. */
export function Overtaken({ id }: { id: string }) {
  return useStore($overtaken).has(id) ? (
    <p className="failed overtaken" role="alert">
      The deal was changed in the meantime: this is how it is now. Please try again.
    </p>
  ) : null;
}

function Amount({ text, isClear }: ShownAmount) {
  return <bdi translate={isClear ? 'no' : undefined}>{withoutDirectionMarks(text)}</bdi>;
}

const STATE_WORDS = { done: 'Done', present: 'Next', later: 'Later' } as const;

const STEP_WORDS = { agreed: 'Agreed', ...DONE_WORDS } as const;

interface StepProps {
  shown: ShownStep;
  deal: Deal;
  agreed: ShownAmount;
  name: string;
  /** Not while the owner is asked whether it fell through. */
  hasButtons: boolean;
  children: ReactNode;
}

function Step({ shown: { step, state, at }, deal, agreed, name, hasButtons, children }: StepProps) {
  const isFirst = step === 'agreed';
  return (
    <li data-state={state} aria-current={state === 'present' ? 'step' : undefined}>
      <i role="img" aria-label={STATE_WORDS[state]}>
        {state === 'done' && <Icon name="check" />}
      </i>
      <b>{STEP_WORDS[step]}</b>
      {at === undefined ? (
        <Waiting {...{ step, state, deal, agreed, name }} />
      ) : (
        <small>
          <span key={at}>{formatDay(at)}</span>
          {isFirst && <StateOfName name={name} />}
          {!isFirst && <By deal={deal} step={step} />}
        </small>
      )}
      {hasButtons && children}
      {hasButtons && isFirst && !deal.sold_at && <NameState name={name} to="reserved" />}
      {hasButtons && step === 'sold' && state === 'done' && <NameState name={name} to="sold" />}
    </li>
  );
}

/** Who ticked a step, as long as that can be undone. */
function By({ deal, step }: { deal: Deal; step: string }) {
  const change = deal.changes?.findLast(({ field }) => field === step);
  return change?.by ? (
    <span>
      {' by '}
      <bdi>{change.by}</bdi>
    </span>
  ) : null;
}

const STATES: ReadonlyMap<string | undefined, string> = new Map([
  ['for_sale', 'still for sale to others'],
  ['reserved', 'reserved'],
  ['sold', 'sold on your pages'],
  ['gone', 'not in the catalogue'],
]);

function StateOfName({ name }: { name: string }) {
  const listing = useListing(name);
  const text = STATES.get(listing === null ? 'gone' : listing?.state);
  return text === undefined ? null : <span key={text}>{` · ${text}`}</span>;
}

/** What a step that is not done waits for. */
function Waiting({
  step,
  state,
  deal: { pay_by },
  agreed,
  name,
}: Pick<StepProps, 'deal' | 'agreed' | 'name'> & Pick<ShownStep, 'step' | 'state'>) {
  const now = useStore($now);
  if (step === 'sold') return <small>on your pages</small>;
  if (step === 'transferred')
    return (
      <small key={state}>
        {state === 'later' ? (
          'after the payment'
        ) : (
          <>
            once the buyer has <DomainName name={name} />
          </>
        )}
      </small>
    );
  const days = pay_by ? daysUntil(pay_by, now) : undefined;
  return (
    <>
      {pay_by && days !== undefined && (
        <small key={`${pay_by} ${days}`}>
          {days < 0 && (
            <>
              <strong>{`Overdue by ${-days} d`}</strong>
              {' · '}
            </>
          )}
          {`by ${weekdayOf(pay_by)}`}
          {days >= 0 && ` · ${days === 0 ? 'today' : days === 1 ? '1 day left' : `${days} days left`}`}
        </small>
      )}
      <small className="compare">
        once <Amount {...agreed} /> has arrived
      </small>
    </>
  );
}

const BUTTONS: Readonly<Record<DealStep, string>> = {
  paid: 'Mark as paid',
  transferred: 'Mark as transferred',
  sold: 'Mark as sold',
};

interface StepButtonProps {
  id: string;
  deal: Deal;
  step: DealStep;
  isPresent: boolean;
  isSaving: boolean;
  onTick: (step: DealStep, isDone: boolean) => void;
}

/** Ticks the present step; undoes the one that was just ticked. */
function StepButton({ id, deal, step, isPresent, isSaving, onTick }: StepButtonProps) {
  const ticked = useStore($ticked)[id];
  if (!isPresent && !canUndo(ticked, step, deal)) return null;
  return (
    <Press
      key={String(isPresent)}
      {...{ id, isPresent, isSaving }}
      text={isPresent ? BUTTONS[step] : 'Undo'}
      label={isPresent ? undefined : `Undo: ${BUTTONS[step]}`}
      onPress={() => onTick(step, isPresent)}
    />
  );
}

interface PressProps extends Pick<StepButtonProps, 'id' | 'isPresent' | 'isSaving'> {
  text: string;
  label: string | undefined;
  onPress: () => void;
}

function Press({ id, isPresent, isSaving, text, label, onPress }: PressProps) {
  const button = useRef<HTMLButtonElement>(null);
  useFocusHeir(button, id);
  return (
    <button
      ref={button}
      type="button"
      className={isPresent ? 'button' : 'word'}
      data-next={isPresent || undefined}
      // biome-ignore lint/a11y/noAutofocus: Undo takes the focus of the button that it replaces
      autoFocus={!isPresent}
      aria-label={label}
      aria-disabled={isSaving}
      onClick={onPress}
    >
      <span key={String(isSaving)}>{isSaving ? 'Saving...' : text}</span>
    </button>
  );
}

type Ending = NonNullable<Move['as']>;

/** Asks once whether a deal ends, in the place of the steps' buttons. */
function EndQuestion({ offer, negotiation, deal, ending }: DealProps & { ending: Ending }) {
  const { id, domain_name, customer_name } = offer;
  const { seen } = negotiation;
  const isMailed = negotiation.mails && negotiation.had_mail;
  const { mutate, isPending, error } = useMutation(negotiate);
  const { note = '' } = useStore($drafts)[id] ?? {};
  const form = useRef<HTMLFormElement>(null);
  useFocusHeir(form, id);
  const fellThrough = ending === 'rejected';
  const customer = withoutDirectionMarks(customer_name);
  const move: Move = {
    kind: 'take_back',
    seen,
    as: ending,
    deal_seen: deal.seen ?? 0,
    ...(fellThrough && note.trim() && { note }),
  };
  return (
    <form
      ref={form}
      className="ask"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) mutate({ id, move });
      }}
    >
      <h4>
        {fellThrough ? 'Did the deal with ' : 'Take back your agreement with '}
        <bdi>{customer}</bdi>
        {fellThrough ? ' fall through?' : '?'}
      </h4>
      <p key={ending}>
        {fellThrough ? (
          <>
            The offer is rejected, <AfterEnd name={domain_name} />, and the buyer’s page shows this note.
          </>
        ) : (
          'The offer is open again: it waits for your answer, and the buyer can pay no more.'
        )}
      </p>
      <p>{isMailed ? 'The buyer gets a mail about it.' : 'No mail is sent: the buyer’s page says so.'}</p>
      {fellThrough && (
        <>
          <label className="line" htmlFor={`end ${id}`}>
            <b>Note (optional)</b> <small>at most {MAX_NOTE.toLocaleString('en-US')} characters</small>
          </label>
          <textarea
            id={`end ${id}`}
            className="input"
            rows={2}
            // biome-ignore lint/a11y/noAutofocus: takes the focus of the button that it replaces
            autoFocus
            value={note}
            onChange={({ target }) => writeDraft(id, { note: target.value })}
          />
          {isMailed && <MovePreview id={id} move={move} isComplete />}
        </>
      )}
      <Problem error={error} />
      <div className="links">
        <button
          type="submit"
          className="button quiet danger"
          // biome-ignore lint/a11y/noAutofocus: takes the focus of the button that it replaces
          autoFocus={!fellThrough}
          aria-disabled={isPending}
        >
          <span key={`${isPending} ${ending}`}>
            {isPending ? 'Sending...' : fellThrough ? 'It fell through' : 'Take back'}
          </span>
        </button>
        <button type="button" className="button quiet" onClick={() => dropDraft(id, ['ending', 'note'])}>
          Keep the deal
        </button>
      </div>
    </form>
  );
}

const AFTER_END: ReadonlyMap<string | undefined, string> = new Map([
  ['reserved', 'stays reserved until you put it up for sale'],
  ['sold', 'stays marked as sold until you put it up for sale'],
  ['gone', 'is not in the catalogue'],
]);

function AfterEnd({ name }: { name: string }) {
  const listing = useListing(name);
  const text = AFTER_END.get(listing === null ? 'gone' : listing?.state) ?? 'stays for sale';
  return (
    <>
      <DomainName name={name} /> <span key={text}>{text}</span>
    </>
  );
}

/** The two ways in which a deal ends, with what each does. Last in the row. */
export function EndDeal({ offer: { id, domain_name }, negotiation }: Omit<DealProps, 'deal'>) {
  const { ending } = useStore($drafts)[id] ?? {};
  if (ending || !negotiation.can.includes('take_back')) return null;
  return (
    <div className="end-deal">
      <button type="button" className="button quiet" onClick={() => writeDraft(id, { ending: 'open' })}>
        Take back
      </button>
      <p>The offer is open again, as before the agreement. Asks once.</p>
      <button
        type="button"
        className="button quiet danger"
        onClick={() => writeDraft(id, { ending: 'rejected' })}
      >
        Fell through
      </button>
      <p>
        The offer is rejected with a note, <AfterEnd name={domain_name} />, and the buyer’s page says so. Asks
        once.
      </p>
    </div>
  );
}
