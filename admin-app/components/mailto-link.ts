import { interpolate } from '#contract/interpolate.ts';
import { codeOf, findToken } from '#contract/link-code.ts';
import { shorten } from '#contract/shorten.ts';

/** Longest amount in a mail, in UTF-16 units: some mail programs take links of at most 2,000 characters. */
const MAX_AMOUNT_LENGTH = 80;

const SUBJECT = 'Your offer for';

/** What a mail with the buyer's link says, by the language of the page that the offer came from. */
const LINK_TEXTS = {
  de: {
    subject: 'Ihr Angebot für',
    link: 'Hier sehen Sie meine Antwort und können darauf antworten:',
    code: 'Der Link geht nicht? Öffnen Sie {page} und tippen Sie den Code {code}',
  },
  en: {
    subject: SUBJECT,
    link: 'You can see my answer, and answer it, here:',
    code: 'The link does not work? Open {page} and type the code {code}',
  },
};

interface Mail {
  readonly email: string;
  readonly domain: string;
  /** The offer as the visitor wrote it. */
  readonly amount: string;
  /** When the offer was made, to be read. */
  readonly date: string;
}

/**
 * A mailto link with exactly one recipient, a subject and a body that names the offer. Everything except `@` is encoded,
 * so that `?`, `&` or `,` in the visitor's input cannot add recipients or headers.
 */
export function mailtoLink({ email, domain, amount, date }: Mail): string {
  return linkOf(
    email,
    `${SUBJECT} ${oneLine(domain)}`,
    `Your offer of ${date}: ${shorten(oneLine(amount), MAX_AMOUNT_LENGTH)}\r\n\r\n`,
  );
}

/** The buyer's link on this server: made-up names may be registered, and their sites are not the demo's. */
export function linkInDemo(link: string, { origin }: Pick<Location, 'origin'>): string {
  return link.replace(/^https:\/\/[^/]+/, origin);
}

/**
 * The same with the buyer's link and its code in the body instead of what the visitor wrote.
 * @param language of the page that the offer came from
 */
export function mailtoWithLink(
  { email, domain }: Pick<Mail, 'email' | 'domain'>,
  link: string,
  language: string | null | undefined,
): string {
  const texts = LINK_TEXTS[language === 'de' ? language : 'en'];
  const token = findToken(link);
  const values = token && { page: link.replace(/#.*/, ''), code: codeOf(token) };
  const paragraphs = [`${texts.link}\r\n${link}`, ...(values ? [interpolate(texts.code, values)] : []), ''];
  return linkOf(email, `${texts.subject} ${oneLine(domain)}`, paragraphs.join('\r\n\r\n'));
}

function linkOf(email: string, subject: string, body: string): string {
  return `mailto:${encoded(email).replaceAll('%40', '@')}?subject=${encoded(subject)}&body=${encoded(body)}`;
}

function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** Replaces characters that could begin a new line or reorder the text beside it. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ');
}
