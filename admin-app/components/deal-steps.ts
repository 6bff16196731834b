/** The steps of a deal, and what is left of the time to pay. */
import { DEAL_STEPS, type Deal, type DealStep } from '#contract/negotiation.ts';

const DAY_MS = 86_400_000;
/** Dates without a time are shown as they are, in every time zone. */
const UTC = { timeZone: 'UTC' } as const;
const SHORT_DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', ...UTC });
const WEEKDAY = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  ...UTC,
});
const LONG_DAY = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  ...UTC,
});

interface DealLine {
  readonly text: string;
  readonly tone?: 'overdue';
}

type Done = Partial<Record<`${DealStep}_at`, string | null | undefined>>;

export interface ShownStep {
  readonly step: 'agreed' | DealStep;
  readonly state: 'done' | 'present' | 'later';
  /** When it was done. */
  readonly at?: string;
}

/** All four in their order; the first that is not done is the present one. */
export function stepsOf(deal: Done & Pick<Deal, 'agreed_at'>): ShownStep[] {
  const present = presentStep(deal);
  return [
    { step: 'agreed', state: 'done', at: deal.agreed_at },
    ...DEAL_STEPS.map((step): ShownStep => {
      const at = deal[`${step}_at`];
      return at ? { step, state: 'done', at } : { step, state: step === present ? 'present' : 'later' };
    }),
  ];
}

/** Undefined once all is done. */
export function presentStep(deal: Done): DealStep | undefined {
  return DEAL_STEPS.find((step) => !deal[`${step}_at`]);
}

/** Days from today until a date of the calendar; negative once it has passed. */
export function daysUntil(date: string, now: number): number {
  const today = new Date(now);
  const midnight = Date.UTC(today.getFullYear(), today.getMonth(), today.getDate());
  return Math.round((Date.parse(date) - midnight) / DAY_MS);
}

/** The date so many days from today, as a field of a date has it: `2026-12-04`. */
export function dateIn(days: number, now: number): string {
  const today = new Date(now);
  const date = new Date(Date.UTC(today.getFullYear(), today.getMonth(), today.getDate() + days));
  return date.toISOString().slice(0, 10);
}

/** `Pay by Dec 4, 5 d left`, `Overdue by 2 d`, `Paid Dec 2`, `Transferred Dec 5` or `Sold Nov 26`; undefined where there is no date. */
export function dealLine(deal: Done & Pick<Deal, 'pay_by'>, now: number): DealLine | undefined {
  const last = DEAL_STEPS.findLast((step) => deal[`${step}_at`]);
  if (last) return { text: `${DONE_WORDS[last]} ${shortDayOf(deal[`${last}_at`] ?? '')}` };
  if (!deal.pay_by) return undefined;
  const days = daysUntil(deal.pay_by, now);
  if (days < 0) return { text: `Overdue by ${-days} d`, tone: 'overdue' };
  return { text: `Pay by ${formatted(deal.pay_by, SHORT_DAY)}, ${days === 0 ? 'today' : `${days} d left`}` };
}

export const DONE_WORDS = { paid: 'Paid', transferred: 'Transferred', sold: 'Sold' } as const;

/** `Fri, Dec 4` of `2026-12-04` */
export function weekdayOf(date: string): string {
  return formatted(date, WEEKDAY);
}

/** `Dec 4, 2026` of `2026-12-04` */
export function longDayOf(date: string): string {
  return formatted(date, LONG_DAY);
}

/** `Dec 2` of a time, in the browser's time zone. */
function shortDayOf(time: string): string {
  return new Date(time).toLocaleDateString('en-US', { month: 'short', day: 'numeric' });
}

function formatted(date: string, format: Intl.DateTimeFormat): string {
  const time = Date.parse(date);
  return Number.isNaN(time) ? date : format.format(time);
}
