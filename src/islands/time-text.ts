import { isNear } from './pay-by.ts';

const FORMS = {
  /** `Nov 23, 11:30 AM`, without a break. */
  short: { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  /** `Monday, November 30 at 11:30 AM`, which may break after the day of the week. */
  long: { weekday: 'long', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  /** `Monday, November 30` */
  day: { weekday: 'long', month: 'long', day: 'numeric' },
} as const;

/** A time in the visitor's zone, which the page names once. One that is far away has its year. */
export function timeText(at: string, language: string, form: keyof typeof FORMS, now = Date.now()): string {
  const text = new Date(at).toLocaleString(language, {
    ...FORMS[form],
    ...(!isNear(Date.parse(at), now) && { year: 'numeric' }),
  });
  const unbroken = text.replaceAll(' ', '\u00a0');
  return form === 'short' ? unbroken : unbroken.replace('\u00a0', ' ');
}
