/** What owner and buyer see of a deal: where to pay, with the values of the deal, and what happens then. */
import {
  type CheckoutValues,
  checkoutValues,
  DEAL_PLACEHOLDERS,
  payUrlOf,
} from '../_shared/contract/checkout.ts';
import { withoutDirectionMarks } from '../_shared/contract/direction-marks.ts';
import { escapeMarkup } from '../_shared/contract/escape-markup.ts';
import type { Negotiation, Payment, StoredPayment } from '../_shared/contract/negotiation.ts';
import type { PublishedSettings } from '../_shared/contract/publication.ts';
import { priceIn, shownMove } from '../_shared/contract/shown-amount.ts';
import type { PublishedCatalogue } from '../_shared/listings.ts';

/** Used where the catalogue has no text, in every language of the site. `{owner}` is the seller's name, or `OWNER`. */
const AFTER_PAYMENT = {
  de: stepsOf(
    '{owner} sieht Ihre Zahlung und hakt sie hier ab.',
    '{domain} wird beim bisherigen Registrar entsperrt.',
    'Sie erhalten einen Auth-Code, oder einen Push, wenn Sie dort ein Konto haben.',
    'Sie geben den Code beim Registrar Ihrer Wahl ein.',
    'Sie bestätigen den Umzug mit der E-Mail, die Ihr Registrar schickt.',
    '{domain} gehört Ihnen. Bis Sie das sehen, kann es bis zu 5 Tage dauern.',
  ),
  en: stepsOf(
    '{owner} sees your payment and ticks it here.',
    '{domain} is unlocked at its present registrar.',
    'You get a transfer code, or a push if you have an account there.',
    'You enter the code at the registrar of your choice.',
    'You confirm the transfer by the email that your registrar sends.',
    '{domain} is yours. It can take up to 5 days until you see it.',
  ),
};

/** A seller without a name. */
const OWNER = { de: 'Der Inhaber', en: 'The owner' };

/** Stands for the reference that the acceptance makes. */
export const NO_REFERENCE = 'REFERENCE';

/** A text of the owner's in HTML, or a URL in it, as the build has rendered them. Braces in targets of links are encoded. */
const TAG_OR_TEXT = /<[^>]*>|[^<]+/g;
const PLACEHOLDER = /\{(\w+)\}|%7B(\w+)%7D/g;

/** The state with what its side sees. @param payment absent for the buyer of an offer that is not accepted */
export function withDeal(
  state: Negotiation,
  payment: StoredPayment | null | undefined,
  { settings, language: first }: PublishedCatalogue,
  isOwner: boolean,
): Negotiation {
  if (!payment) return state;
  const languages = [state.language ?? first, first, 'en'];
  const texts = textsOf(state, payment, settings, languages);
  const isAccepted = state.status === 'accepted';
  const { values } = texts;
  const ways = (['link', 'template', 'closing'] as const).flatMap((way): Payment['ways'] => {
    if (way === 'closing') return texts.closing === undefined ? [] : [{ way, html: texts.closing }];
    if (payment[way] === undefined) return [];
    const url = payUrlOf(way, payment, values);
    return [{ way, ...(url !== undefined && { url, host: new URL(url).host }) }];
  });
  const inForce = ways.find(({ way }) => way === payment.way);
  // An amount with a part of the smallest unit fits into no template.
  const used = inForce?.url ? inForce : ways.find(({ html }) => payment.way && html);
  const { deal } = state;
  const pay =
    used?.url && used.host && !deal?.paid_at && isAccepted ? { url: used.url, host: used.host } : undefined;
  const hasClosing = isAccepted && texts.closing !== undefined && (isOwner || used?.way === 'closing');
  return {
    ...state,
    ...(deal && { deal: { ...deal, ...(pay && { pay }) } }),
    ...(hasClosing && { closing: texts.closing }),
    ...(isAccepted && used && { after_payment: texts.afterPayment }),
    ...(isOwner && {
      payment: {
        ways,
        way: used?.way ?? null,
        ...(payment.taken_by !== undefined && { taken_by: payment.taken_by }),
        chosen: payment.chosen ?? null,
        hosts: settings.checkoutHosts ?? [],
        pay_days: settings.payDays ?? null,
      },
    }),
  };
}

function textsOf(
  { domain, moves, deal }: Negotiation,
  { email }: StoredPayment,
  { closing = {}, afterPayment = {}, owner }: PublishedSettings,
  languages: readonly string[],
) {
  const agreed = moves.findLast(({ amount }) => amount);
  // Typed by the buyer, perhaps: it must not turn the owner's text around.
  const typed = withoutDirectionMarks(agreed?.amount ?? '');
  const shownIn = (language: string) => shownMove({ ...agreed, kind: 'accept' }, language);
  const values = checkoutValues(domain, shownIn('en').isClear ? priceIn(agreed ?? {}) : undefined, {
    email: email && withoutDirectionMarks(email),
    reference: deal?.reference ?? NO_REFERENCE,
  });
  const filled = (texts: Readonly<Record<string, string>>) => {
    const language = languages.find((one) => Object.hasOwn(texts, one));
    if (language === undefined) return undefined;
    const shown = shownIn(language);
    const amount = shown.isClear
      ? `<span translate="no">${escapeMarkup(shown.text)}</span>`
      : escapeMarkup(typed);
    return fillHtml(texts[language] ?? '', values, typed, amount);
  };
  const usual = Object.entries(AFTER_PAYMENT).map(([language, text]) => {
    const name = owner ?? OWNER[language as keyof typeof OWNER];
    return [language, text.replace('{owner}', () => escapeMarkup(name))] as const;
  });
  return {
    values,
    closing: filled(closing),
    afterPayment: filled(afterPayment) ?? filled(Object.fromEntries(usual)),
  };
}

/**
 * Fills values into rendered Markdown, as text; in targets of links they are encoded, and an amount that can be read in two ways is
 * left out there: a page elsewhere would read it as one.
 * @param typed the amount as it was typed
 * @param amount the same as HTML, as it is shown
 */
function fillHtml(html: string, values: CheckoutValues, typed: string, amount: string): string {
  const isKnown = (name: string): name is keyof CheckoutValues =>
    DEAL_PLACEHOLDERS.some((one) => one === name);
  return html.replace(TAG_OR_TEXT, (part) =>
    part.replace(PLACEHOLDER, (found, text?: string, url?: string) => {
      const name = text ?? url ?? '';
      if (!isKnown(name)) return found;
      if (url !== undefined) return encodeURIComponent(values[name] ?? '');
      if (name !== 'amount') return escapeMarkup(values[name] ?? '');
      return part.startsWith('<') ? escapeMarkup(values.amount ?? typed) : amount;
    }),
  );
}

function stepsOf(...steps: readonly string[]): string {
  return `<ol>${steps.map((step) => `<li>${step}</li>`).join('')}</ol>`;
}
