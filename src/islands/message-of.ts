import type { OfferSubmission } from '#contract/offer.ts';

/** Control characters but line feeds: a pasted text may have tabs. */
const CONTROLS = /[^\P{Cc}\n]/gu;

/** The message of a form as the functions accept it: with line feeds alone; none for a blank one. */
export function messageOf(form: FormData): Pick<OfferSubmission, 'message'> {
  const message = String(form.get('message') ?? '')
    .replace(/\r\n?/g, '\n')
    .replace(CONTROLS, ' ')
    .trim();
  return message ? { message } : {};
}
