import { domainToASCII, domainToUnicode } from 'node:url';
import * as z from 'zod';
import { DEAL_PLACEHOLDERS, originOf, PRICE_PLACEHOLDERS } from '#contract/checkout.ts';
import { type Currencies, isSignOf, SHARED_SIGNS, type SharedSign } from '#contract/currency-signs.ts';
import { MAX_PAY_LINK } from '#contract/negotiation.ts';
import { priceOf } from '#contract/price-of.ts';
import { REPLY_WITHIN } from '#contract/reply-within.ts';
import { LANGUAGES, type Language } from '../i18n/languages.ts';
import type { LocalizedText } from './description.ts';

const TRUE_OR_FALSE = 'write true or false (without quotes)';
/** The remedy for a missing `brokerUrl`. */
export const WRITE_BROKER_URL = 'write an address, such as https://broker.example/domains/{domain}';
export const WRITE_MINIMUM =
  'write an amount with its currency, such as "$500", or a share of the price, such as "25%"';
const WRITE_DESCRIPTION = 'write one or two sentences';
const UNKNOWN_LANGUAGE = `is not a language there are messages in: write one of ${LANGUAGES.join(', ')}`;

const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;
const WRITE_DAYS = problem('write a number of days from 1 to 90, such as 7');
const NO_TIME = quoting('is not a time: write hours or days, such as 36 hours or 3 days');

/** A domain for sale. */
export const DomainEntrySchema = z.strictObject({
  /**
   * The domain in lower-case ASCII, internationalised names in punycode (`xn--`), which pages show decoded. At most 253
   * characters.
   */
  name: text('write the domain, such as example.com').check(explain(whyNotADomain)),
  /** The price as a text (`$15,000`). Shown to visitors only with `showPrice`, and where it has an amount. Absent: none. */
  price: plainText('write a text, such as "$15,000"').optional(),
  /**
   * One or two sentences, shown on the domain's card and in metadata for search engines: a text in the first of the site's
   * languages, or one for each language, such as `{ en: Short., de: Kurz. }`. Languages without one show the first. Absent: none.
   */
  description: localized(plainText(WRITE_DESCRIPTION)).optional(),
  /**
   * What the page says of a broker: true links to the domain's page at the external marketplace (`brokerUrl`), false says that
   * the owner's broker will contact the visitor, and without it there is no panel.
   */
  hasBroker: z.boolean(problem(TRUE_OR_FALSE)).optional(),
  /**
   * A longer text in Markdown, shown below the form of the domain's page. At most 2,000 characters, so that the page stays
   * small. HTML is escaped, and images become links, because pages load nothing from other hosts.
   */
  about: plainText('write a text in Markdown, or remove it')
    .max(2000, 'is too long: keep it under 2,000 characters, so that the page stays light')
    .optional(),
  /** Why the domain takes no offers: its page says so and shows other domains. Absent: it is for sale. */
  state: z
    .enum(['sold', 'reserved'], problem('write sold or reserved, or remove it while the domain is for sale'))
    .optional(),
  /**
   * Offers below it are low: an amount with a currency (`$500`), or a share of the price (`25%`). Never published. Absent: no
   * offer is low.
   */
  minimum: text(WRITE_MINIMUM).optional(),
  /**
   * Where the domain can be bought at a fixed price, linked on its own page. An https URL; `{domain}` becomes the domain's name, and
   * so do `{label}`, and the price as `{amount}`, `{minor}`, `{currency}` and `{currency_lower}` where it has an amount.
   */
  buyNow: checkoutUrl(PRICE_PLACEHOLDERS).optional(),
  /** Where the domain can be paid in instalments, linked on its own page. An https URL; `{domain}` becomes the domain's name. */
  instalments: webUrl('domain').optional(),
  /**
   * Where the buyer pays once an offer is accepted: an https URL with the placeholders of `buyNow`, `{email}` and `{reference}`. It
   * stands in no page. Absent: that of `settings`.
   */
  checkout: checkoutUrl(DEAL_PLACEHOLDERS).optional(),
});
export type DomainEntry = z.infer<typeof DomainEntrySchema>;

/** Values for entries that have none of their own. In `description` and URLs `{domain}` becomes the domain's name. */
export const DefaultsSchema = DomainEntrySchema.pick({
  price: true,
  description: true,
  hasBroker: true,
  minimum: true,
  buyNow: true,
  instalments: true,
  checkout: true,
})
  .extend({ description: localized(plainText(WRITE_DESCRIPTION).check(filledIn('domain'))) })
  .partial();

function currencyWithSign(sign: SharedSign) {
  return text('write the code of a currency, such as SEK')
    .refine(
      (code) => isSignOf(sign, code),
      quoting(`is not a currency with the sign ${sign}: write its code, such as SEK`),
    )
    .optional();
}

/** A link with the owner's own text, or one for each language. */
const OwnersLinkSchema = z.strictObject(
  {
    text: localized(line(40, 'write the text of the link, such as Imprint')),
    url: urlFor(
      'write an address, such as https://example.com/imprint',
      isLink,
      'is not a link for a page: write https://…, mailto:name@example.com or tel:+15550100',
    ),
  },
  problem('write text and url, such as { text: Imprint, url: https://example.com/imprint }'),
);
export type OwnersLink = z.infer<typeof OwnersLinkSchema>;

/** Settings of the whole site. */
export const SettingsSchema = z.strictObject({
  /** URL of a domain's page at the broker marketplace; `{domain}` becomes its name. Needed for entries with `hasBroker: true`. */
  brokerUrl: text(WRITE_BROKER_URL).check(explain(whyNotATemplate)).optional(),
  /**
   * Hosts of the site besides the domains, without port; pages there start with nothing selected. The first one is the
   * canonical host of the pages of the whole site; without one, only the domains' own pages are indexed.
   */
  hosts: z
    .array(
      text('write a host name').regex(
        HOST,
        quoting('is not a host name: write it in lower case, without https://, port or path'),
      ),
      problem('write a list, one "- name" a line'),
    )
    .default([]),
  /** Language codes of the pages: the first one at `/`, others below `/de/`. Default: English. */
  languages: z
    .array(
      text('write a language, such as en').refine(isLanguage, quoting(UNKNOWN_LANGUAGE)),
      problem('write a list, such as [en, de]'),
    )
    .min(1, 'is empty: write at least one language, such as [en]')
    .check(explain(whyNotDistinct))
    .default(['en']),
  /** Email shown in the footer of every page, for visitors who cannot use the form. Default: none. */
  contact: text('write an e-mail address')
    .refine(isEmail, quoting('is not an e-mail address: write one like offers@example.com'))
    .optional(),
  /** The pages' colours, the dashboard's too: always light, always dark, or as the visitor's system prefers (default). */
  colorScheme: z.enum(['light', 'dark', 'auto'], problem('write light, dark or auto')).optional(),
  /**
   * Where visitors see a price: nowhere, on the domain's own page (and in its structured data, if it can be parsed as an
   * amount with a currency), or everywhere: on cards and in lists, too. `false` is the same as `never`.
   */
  showPrice: z.preprocess(
    (value) => (value === false ? 'never' : value),
    z.enum(['never', 'page', 'everywhere'], { error: whyNotShowPrice }).default('never'),
  ),
  /** Who sells the domains, shown on their pages. */
  owner: line(80, 'write your name or that of your company').optional(),
  /** Links at the foot of every page, such as imprint and privacy policy. */
  links: z
    .array(OwnersLinkSchema, problem('write a list, one "- { text: …, url: … }" a line'))
    .max(8, 'has more than 8 links: remove some')
    .optional(),
  /** What the email is used for: one sentence at its field, or one for each language. */
  emailUse: localized(line(160, 'write one sentence, such as "Only used to answer you."')).optional(),
  /** The escrow service, linked from the steps of a sale; without it the steps are not shown. */
  escrow: z
    .strictObject(
      { text: localized(line(40, 'write the text of the link, such as How escrow works')), url: webUrl() },
      problem('write text and url, such as { text: How escrow works, url: https://escrow.example }'),
    )
    .optional(),
  /**
   * The time within which the owner promises to answer, in hours or days (`3 days`), for pages, mails and the dashboard.
   * Default: 24 hours.
   */
  replyWithin: z.string(NO_TIME).regex(REPLY_WITHIN, NO_TIME).optional(),
  /**
   * What both sides read once an offer is accepted, unless a link to pay takes its place: a text in Markdown, or one for each
   * language, as `about`, with the placeholders of `checkout`. It may hold bank details: it stands in no page.
   */
  closing: dealText().optional(),
  /** Where buyers pay, for names without `checkout` of their own or of `defaults`. */
  checkout: checkoutUrl(DEAL_PLACEHOLDERS).optional(),
  /**
   * Hosts of the links to payment pages that may be pasted for one deal. Absent: there are no such links, so that a stolen session
   * cannot send a payment elsewhere.
   */
  checkoutHosts: z
    .array(
      text('write a host name').regex(
        HOST,
        quoting('is not a host name: write it in lower case, without https://, port or path'),
      ),
      problem('write a list, such as [pay.example.com]'),
    )
    .optional(),
  /** "Pay by": so many days after the agreement, which may be changed for each deal. Absent: there is no such date. */
  payDays: z.int(WRITE_DAYS).min(1, WRITE_DAYS).max(90, WRITE_DAYS).optional(),
  /** What happens after the payment, for the buyer: as `closing`. Default: six steps in the language of the page. */
  afterPayment: dealText().optional(),
  /**
   * The currencies of signs that several countries share, for amounts of yours and of visitors: `{ $: CAD, kr: SEK, ¥: JPY }`.
   * Default: `$` is USD, the others are none, so that amounts with them cannot be read.
   */
  currencies: z
    .strictObject(
      { $: currencyWithSign('$'), kr: currencyWithSign('kr'), '¥': currencyWithSign('¥') },
      problem(
        `write signs with their currency, such as { $: CAD, kr: SEK }. Signs are ${SHARED_SIGNS.join(', ')}`,
      ),
    )
    .optional(),
  /** Whether the form has a field for a message. */
  offerMessage: z.boolean(problem(TRUE_OR_FALSE)).optional(),
});

/** The whole file. `load.ts` fills in the defaults first, and checks that no name appears twice. */
export const CatalogueSchema = z.strictObject(
  {
    settings: z
      .strictObject(SettingsSchema.shape, problem('write a setting below it, or remove the section'))
      .prefault({}),
    defaults: z
      .strictObject(
        DefaultsSchema.shape,
        problem('write price, description, hasBroker, minimum, buyNow, instalments or checkout below it'),
      )
      .optional(),
    domains: z
      .array(
        z.strictObject(DomainEntrySchema.shape, problem('write name, price and description')),
        problem('write a list, one "- name: …" an entry'),
      )
      .min(1, 'is empty: write at least one domain'),
  },
  problem('write the section domains'),
);
export type Catalogue = z.infer<typeof CatalogueSchema>;

/** A text, or texts by language. Not a union, whose messages would be about both. */
function localized(one: z.ZodString) {
  const byLanguage = z.strictObject(Object.fromEntries(LANGUAGES.map((code) => [code, one.optional()])));
  return z.unknown().transform((value, context): LocalizedText => {
    const isByLanguage = typeof value === 'object' && value !== null && !Array.isArray(value);
    const { data, error } = (isByLanguage ? byLanguage : one).safeParse(value);
    for (const { code, path, message, ...issue } of error?.issues ?? []) {
      const unknown = 'keys' in issue ? (issue.keys as string[]) : [];
      if (unknown.length === 0) context.issues.push({ code: 'custom', path, message, input: value });
      for (const key of unknown)
        context.issues.push({ code: 'custom', path: [key], message: UNKNOWN_LANGUAGE, input: value });
    }
    return data as LocalizedText;
  });
}

/** A text field that takes some texts only; the error message has the remedy. */
function text(remedy: string) {
  return z.string(problem(remedy));
}

/** A text, which may have several lines. */
function plainText(remedy: string) {
  return filled(remedy).check(explain(whyNotPlainText));
}

/** A text of one line with at most `max` characters. */
function line(max: number, remedy: string) {
  return filled(remedy)
    .max(max, `is too long: keep it under ${max + 1} characters`)
    .check(explain(whyNotOneLine));
}

/** A text field that takes any text: YAML reads an unquoted 15000 or 2024 as a number. */
function filled(remedy: string) {
  return z
    .string(problem(remedy, (number) => `put it in quotes ("${number}")`))
    .trim()
    .min(1, `is empty: ${remedy}`);
}

/** The URL of a page elsewhere. @param names placeholders that it may have */
function webUrl(...names: string[]) {
  const remedy = 'is not an address of a web page: write one that begins with https://';
  return urlFor('write an address that begins with https://', isWebUrl, remedy, names);
}

/** The URL of a payment page. @param names placeholders that it may have behind its host */
function checkoutUrl(names: readonly string[]) {
  return webUrl(...names)
    .max(MAX_PAY_LINK, `is too long: keep it under ${MAX_PAY_LINK + 1} characters`)
    .check(
      explain((url) =>
        /[{}]/.test(originOf(url))
          ? 'has a placeholder in its host: write the host as it is, and placeholders behind it'
          : undefined,
      ),
    );
}

/** A text in Markdown with the values of a deal. */
function dealText() {
  return localized(
    plainText('write a text in Markdown, or remove it')
      .max(2000, 'is too long: keep it under 2,000 characters')
      .check(filledIn(...DEAL_PLACEHOLDERS))
      .check(explain(whyNotLinks)),
  );
}

/** Of what the buyer typed none may be the host of a link. */
function whyNotLinks(markdown: string): string | undefined {
  const wrong = /\b[a-z][a-z0-9+.-]*:\/\/[^\s/?#()<>\\]*\{(?!domain\})\w+\}/i.exec(markdown)?.[0];
  return wrong && `has ${wrong}, a placeholder in the host of a link: write the host as it is`;
}

/** A brace in a URL is one of a placeholder. */
function urlFor(remedy: string, isRight: (url: string) => boolean, whyNot: string, names: string[] = []) {
  return text(remedy).check(
    explain((url) => {
      const isFine = isRight(url.replaceAll('{domain}', 'example.com'));
      return whyUnfilled(url, BRACES, names) ?? (isFine ? undefined : `"${url}" ${whyNot}`);
    }),
  );
}

/** Error messages for a missing value, a wrong type or an unknown key. @param ofNumber the remedy for a number */
function problem(remedy: string, ofNumber: (value: number) => string = () => remedy) {
  return {
    error: (issue: z.core.$ZodRawIssue) => {
      if (issue.code === 'unrecognized_keys')
        return 'is not a known field: remove it or correct its spelling';
      if (issue.input === undefined || issue.input === null) return `is missing: ${remedy}`;
      if (typeof issue.input === 'number') return `is a number: ${ofNumber(issue.input)}`;
      return `is not right: ${remedy}`;
    },
  };
}

/** An error message that begins with the wrong text. */
function quoting(what: string) {
  return { error: ({ input }: z.core.$ZodRawIssue) => `"${input}" ${what}` };
}

/** Rejects words in braces that nothing fills in. */
function filledIn(...names: string[]) {
  return explain((text: string) => whyUnfilled(text, /\{\s*\w+\s*\}/g, names));
}

/** What is in braces in a URL, where a brace has no other meaning. */
const BRACES = /\{[^{}]*\}|[{}]/g;

function whyUnfilled(text: string, placeholders: RegExp, names: readonly string[] = []): string | undefined {
  const wrong = text.match(placeholders)?.find((one) => !names.includes(one.slice(1, -1)));
  const allowed = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
    names.map((name) => `{${name}}`),
  );
  return wrong && `has ${wrong}, which is not filled in: write ${allowed && `${allowed}, or `}no braces`;
}

function whyNotShowPrice({ input }: z.core.$ZodRawIssue): string {
  if (input !== true) return 'is not right: write never, page or everywhere';
  return 'is true, which published prices that no visitor saw: write page to show them on the domains’ pages too, or never';
}

function explain<Value>(why: (value: Value) => string | undefined): z.core.CheckFn<Value> {
  return (payload) => {
    const message = why(payload.value);
    if (message) payload.issues.push({ code: 'custom', input: payload.value, message });
  };
}

/** Characters that neither the database nor a page can hold. Line breaks and tabs are allowed. */
function whyNotPlainText(value: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (value.isWellFormed() && !/[\0-\x08\x0B\x0C\x0E-\x1F\x7F]/.test(value)) return undefined;
  return 'has an invisible control character or half a character in it: write the text anew';
}

function whyNotADomain(name: string): string | undefined {
  if (isDomain(name)) {
    const wrong = name.split('.').find(isWrongPunycode);
    return (
      wrong && `"${name}" is not a domain: ${wrong} stands for no letters. Write it as the registrar shows it`
    );
  }
  const ascii = domainToASCII(name.trim());
  if (isDomain(ascii)) return `"${name}" is not written as the browser sends it: write ${ascii}`;
  return `"${name}" is not a domain: write lower-case letters, digits and hyphens with a dot between, such as example.com (an internationalised name in its xn-- form)`;
}

/** A label in punycode that cannot be decoded, so that no registry has it. */
function isWrongPunycode(label: string): boolean {
  return label.startsWith('xn--') && domainToUnicode(label).startsWith('xn--');
}

function isDomain(name: string): boolean {
  return name.length <= 253 && DOMAIN.test(name);
}

/** Labels of at most 63 characters; the last one must not be a number, because that would be an ip. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

function whyNotATemplate(template: string): string | undefined {
  const why = whyUnfilled(template, BRACES, ['domain']);
  if (why) return why;
  if (!template.includes('{domain}'))
    return 'has no {domain}: write it where the domain’s name belongs in the address';
  const url = template.replaceAll('{domain}', 'example.com');
  const protocol = URL.canParse(url) && new URL(url).protocol;
  if (protocol === 'https:' || protocol === 'http:') return undefined;
  return 'is not a web address: begin it with https://';
}

function whyNotOneLine(text: string): string | undefined {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return 'has a line break or a control character: write one line';
  // An empty one is reported already.
  const isVisible = text === '' || /[^\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(text);
  if (isVisible && text.isWellFormed() && !DIRECTIONS.test(text)) return undefined;
  return 'has an invisible character that hides or turns text: write the text anew';
}

/** Characters that turn the direction of the text after them. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** A minimum as a share of the price: 1 to 100 percent. */
export const SHARE_OF_PRICE = /^(100|[1-9]\d?)\s*%$/;

/** Whether a minimum can be read. */
export function isMinimum(text: string, currencies?: Currencies): boolean {
  return SHARE_OF_PRICE.test(text.trim()) || priceOf(text, currencies) !== undefined;
}

function isLink(url: string): boolean {
  const [, email] = /^mailto:([^?]*)$/s.exec(url) ?? [];
  return isWebUrl(url) || /^tel:\+?\d[\d.()-]{1,30}$/.test(url) || (email !== undefined && isEmail(email));
}

/** Without user name and password, which would hide the host. */
function isWebUrl(url: string): boolean {
  if (!/^https:\/\/[^/?#@][^\\\s\p{C}]*$/u.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

function isEmail(text: string): boolean {
  return z.email().safeParse(text).success;
}

function isLanguage(code: string): code is Language {
  return (LANGUAGES as string[]).includes(code);
}

function whyNotDistinct(codes: string[]): string | undefined {
  const twice = codes.find((code, place) => codes.indexOf(code) < place);
  return twice && `has ${twice} twice: remove one of them`;
}
