import { shorten } from '#contract/shorten.ts';

/** Longest amount in a mail, in UTF-16 units: some mail programs take links of at most 2,000 characters. */
const MAX_AMOUNT_LENGTH = 80;

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
    domain,
    `Your offer of ${date}: ${shorten(oneLine(amount), MAX_AMOUNT_LENGTH)}\r\n\r\n`,
  );
}

/** The same with the buyer's link in the body instead of what the visitor wrote. */
export function mailtoWithLink({ email, domain }: Pick<Mail, 'email' | 'domain'>, link: string): string {
  return linkOf(email, domain, `You can see my answer, and answer it, here:\r\n${link}\r\n\r\n`);
}

function linkOf(email: string, domain: string, body: string): string {
  const subject = `Your offer for ${oneLine(domain)}`;
  return `mailto:${encoded(email).replaceAll('%40', '@')}?subject=${encoded(subject)}&body=${encoded(body)}`;
}

function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** Replaces characters that could begin a new line or reorder the text beside it. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ');
}
