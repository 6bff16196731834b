/** The one renderer of mails: what a mail says, as text and as HTML. */
import { escapeMarkup } from '../_shared/contract/escape-markup.ts';
import type { PublishedSettings } from '../_shared/contract/publication.ts';
import { mailStyle } from './mail-style.ts';
import { plainLine } from './plain-line.ts';

/** What a mail says. Nothing is escaped. */
export interface MailContent {
  /** BCP 47 code. */
  readonly language: string;
  /** One line. */
  readonly subject: string;
  /** A sentence without its full stop. */
  readonly headline?: string;
  readonly blocks: readonly (Paragraph | Facts)[];
  /** Why the recipient gets the mail. With it the mail ends with who sells, and how to reach them. */
  readonly why?: string;
}

interface Paragraph {
  readonly text: string;
  /** A sentence after it, in bold. */
  readonly strong?: string;
}

/** A table, and a link as a button below it. */
export interface Facts {
  readonly rows: readonly Row[];
  /** What a person wrote, in lines: in text each is quoted, so that none can pass for a line of the mail. */
  readonly quote?: Quote;
  readonly button?: { readonly text: string; readonly url: string };
  /** The values of the first two rows are large. */
  readonly isOffer?: boolean;
  /** One paragraph in text, since there may be many: with aligned values, and the link before the quote. */
  readonly isCompact?: boolean;
}

interface Row {
  readonly label: string;
  readonly value: string;
  readonly url?: string;
}

interface Quote {
  readonly label: string;
  readonly lines: readonly string[];
}

/** Width of the labels of compact facts in text, with the colon. */
const LABEL_WIDTH = 7;

/** @param settings of the catalogue: who sells, and the accent colour */
export function renderMail(
  { language, subject, headline, blocks, why }: MailContent,
  settings: PublishedSettings,
): { subject: string; text: string; html: string } {
  const seller = why === undefined ? [] : sellerOf(settings);
  const paragraphs = [
    ...(headline ? [`${headline}.`] : []),
    ...blocks.flatMap((block) => ('rows' in block ? factsText(block) : paragraphText(block))),
    ...(seller.length > 0 ? [seller.map(linkText).join('\n')] : []),
    ...(why === undefined ? [] : [why]),
  ];
  const elements = [
    ...(headline ? [paragraphHtml({ text: headline })] : []),
    ...blocks.map((block) => ('rows' in block ? factsHtml(block) : paragraphHtml(block))),
    ...(why === undefined
      ? []
      : [
          '<div class="foot">',
          ...(seller.length > 0 ? [`<p>${seller.map(valueHtml).join(' · ')}</p>`] : []),
          `${paragraphHtml({ text: why })}\n</div>`,
        ]),
  ];
  return { subject, text: `${paragraphs.join('\n\n')}\n`, html: pageHtml(language, elements, settings) };
}

type Link = Omit<Row, 'label'>;

/** Who sells, and how to reach them. */
function sellerOf({ owner, contact, links = [] }: PublishedSettings): Link[] {
  return [
    ...(owner ? [{ value: owner }] : []),
    ...(contact ? [{ value: contact, url: `mailto:${contact}` }] : []),
    ...links.map(({ text, url }) => ({ value: text, url })),
  ];
}

function paragraphText({ text, strong }: Paragraph): string {
  return strong === undefined ? text : `${text} ${strong}`;
}

function factsText({ rows, quote, button, isCompact = false }: Facts): string[] {
  const lines = rows.map(({ label, value, url }) =>
    isCompact ? `${`${label}:`.padEnd(LABEL_WIDTH)} ${value}` : `${label}: ${url ?? value}`,
  );
  const link = button ? [button.url] : [];
  const quoted = quote?.lines.map((line) => `> ${line}`) ?? [];
  if (isCompact) return [[...lines, ...link, ...(quote ? [`${quote.label}:`] : []), ...quoted].join('\n')];
  return [lines.join('\n'), ...(quote ? [quoted.join('\n')] : []), ...link];
}

/** `Imprint: https://…`; an email alone where it is the text, too. */
function linkText({ value, url }: Link): string {
  return url === undefined || url === `mailto:${value}` ? value : `${value}: ${url}`;
}

function paragraphHtml({ text, strong }: Paragraph): string {
  return `<p>${escapeMarkup(text)}${strong === undefined ? '' : ` <b>${escapeMarkup(strong)}</b>`}</p>`;
}

function factsHtml({ rows, quote, button, isOffer = false }: Facts): string {
  return [
    `<table${isOffer ? ' class="offer"' : ''} cellpadding="4">`,
    ...rows.map((row) => rowHtml(row.label, valueHtml(row))),
    ...(quote ? [rowHtml(quote.label, quote.lines.map((value) => valueHtml({ value })).join('<br>'))] : []),
    '</table>',
    ...(button ? [`<p><a href="${escapeMarkup(button.url)}">${escapeMarkup(button.text)}</a></p>`] : []),
  ].join('\n');
}

function rowHtml(label: string, value: string): string {
  return `<tr><th align="left" valign="top">${escapeMarkup(label)}</th><td>${value}</td></tr>`;
}

function valueHtml({ value, url }: Link): string {
  const text = escapeMarkup(plainLine(value));
  return url === undefined ? `<bdi>${text}</bdi>` : `<a href="${escapeMarkup(url)}">${text}</a>`;
}

function pageHtml(language: string, elements: readonly string[], { accent }: PublishedSettings): string {
  return `<!doctype html>\n<html lang="${escapeMarkup(language)}">\n<head>\n<meta charset="utf-8">\n${mailStyle(accent)}\n</head>\n<body>\n${elements.join('\n')}\n</body>\n</html>\n`;
}
