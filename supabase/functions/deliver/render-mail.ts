/** The one renderer of mails: what a mail says, as text and as HTML. */
import { escapeMarkup } from '../_shared/contract/escape-markup.ts';
import { interpolate } from '../_shared/contract/interpolate.ts';
import { textIn } from '../_shared/contract/localized-text.ts';
import type { PublishedSettings } from '../_shared/contract/publication.ts';
import { mailStyle } from './mail-style.ts';
import { plainLine } from './plain-line.ts';

/** What a mail says. Nothing is escaped. */
export interface MailContent {
  /** BCP 47 code. */
  readonly language: string;
  /** One line. */
  readonly subject: string;
  /** The fact that the mail is about, in a sentence; its full stop may be missing. */
  readonly headline: string;
  /** An amount in the headline, which translators leave as it is. */
  readonly keep?: string | undefined;
  /** Whether the headline is in large figures, all of it or up to that amount. */
  readonly isLarge?: boolean;
  readonly blocks: readonly Block[];
  /** The buyer's link as a code to type: in `text` the page's URL takes the place of `{page}`, the code that of `{code}`. */
  readonly code?: { readonly text: string; readonly page: string; readonly code: string } | undefined;
  /** Why the recipient gets the mail. With it the mail ends with who sells, and how to reach them. */
  readonly why?: string;
}

export type Block =
  /** `strong` is bold, after the text, and all of it where it is large. */
  | { kind: 'paragraph'; text: string; strong?: string; isSoft?: boolean; isLarge?: boolean }
  /** An amount in large figures. */
  | { kind: 'amount'; label: string; value: string; isClear?: boolean }
  /** A table; the quote is its last row. */
  | { kind: 'facts'; rows: readonly Row[]; quote?: Quote | undefined }
  | ({ kind: 'quote' } & Quote)
  | { kind: 'steps'; title: string; steps: readonly Step[] }
  /** A part of a whole, as a bar and in words. */
  | { kind: 'share'; text: string; part: number; whole: Link }
  /** Whom the quote above is from. */
  | { kind: 'from'; people: readonly Link[] }
  /** `reply` is a second one, for which a text has the reply itself. */
  | { kind: 'button'; text: string; url: string; reply?: { name: string; url: string } | undefined };

export interface Row {
  readonly label: string;
  readonly value: string;
  /** `https:`, or `mailto:` and `tel:`, which text leaves out. */
  readonly url?: string;
  readonly isLarge?: boolean;
  /** Whether it is one amount with one currency, which translators leave as it is. */
  readonly isClear?: boolean;
}

/** What a person wrote: in text each line is quoted, so that none can pass for a line of the mail. */
interface Quote {
  readonly label: string;
  readonly lines: readonly string[];
}

/** `code` is to be copied as it is. */
export interface Step {
  readonly text: string;
  readonly code?: string;
}

/** Code points of an amount that fits into one line of large figures on a phone. */
const MAX_LARGE = 14;

/** Code points of a headline that fits into one line of large figures. */
const MAX_LARGE_LINE = 22;

/** @param settings of the catalogue: who sells, and the accent colour */
export function renderMail(
  { language, subject, headline, keep, isLarge = false, blocks, code, why }: MailContent,
  settings: PublishedSettings,
): { subject: string; text: string; html: string } {
  const seller = why === undefined ? [] : sellerOf(settings, language);
  const text = [
    /[.!?]$/.test(headline) ? headline : `${headline}.`,
    ...blocks.map(blockText),
    ...(code ? [interpolate(code.text, code)] : []),
    ...(seller.length > 0 ? [seller.map(linkText).join('\n')] : []),
    ...(why === undefined ? [] : [why]),
  ];
  const foot = [
    ...(code ? [`<p>${codeHtml(code)}</p>`] : []),
    ...(seller.length > 0 ? [`<p>${seller.map(valueHtml).join(' · ')}</p>`] : []),
    ...(why === undefined ? [] : [`<p>${escapeMarkup(why)}</p>`]),
  ];
  const html = [
    ...(settings.owner ? [`<p class="brand">${escapeMarkup(plainLine(settings.owner))}</p>`] : []),
    headlineHtml(headline, keep, isLarge),
    ...blocks.map(blockHtml),
    ...(foot.length > 0 ? [`<div class="foot">\n${foot.join('\n')}\n</div>`] : []),
  ];
  return { subject, text: `${text.join('\n\n')}\n`, html: pageHtml({ language, headline }, html, settings) };
}

type Link = Pick<Row, 'value' | 'url' | 'isClear'>;

/** Who sells, and how to reach them. */
function sellerOf(
  { owner, contact, links = [], languages = [] }: PublishedSettings,
  language: string,
): Link[] {
  return [
    ...(owner ? [{ value: owner }] : []),
    ...(contact ? [{ value: contact, url: `mailto:${contact}` }] : []),
    ...links.map(({ text, url }) => ({ value: textIn(text, [language, ...languages]), url })),
  ];
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return block.strong === undefined ? block.text : `${block.text} ${block.strong}`;
    case 'amount':
      return `${block.label}: ${block.value}`;
    case 'facts':
      return [block.rows.map(rowText).join('\n'), ...(block.quote ? [quoteText(block.quote)] : [])].join(
        '\n\n',
      );
    case 'quote':
      return quoteText(block);
    case 'steps':
      return [`${block.title}:`, ...block.steps.map(stepText)].join('\n');
    case 'share':
      return `${block.text} (${block.whole.value}).`;
    case 'from':
      return `From: ${block.people.map(({ value }) => value).join(', ')}`;
    case 'button':
      return `${block.text}:\n${block.url}`;
  }
}

function rowText({ label, value, url }: Row): string {
  return `${label}: ${url?.startsWith('https:') ? url : value}`;
}

function quoteText({ label, lines }: Quote): string {
  return [`${label}:`, ...lines.map((line) => `> ${line}`)].join('\n');
}

/** `1. Reserve the name: npm run …` */
export function stepText({ text, code }: Step, index: number): string {
  return `${index + 1}. ${text}${code === undefined ? '' : ` ${code}`}`;
}

/** `Imprint: https://…`. Of an email or a telephone number the text, or where that lacks it, the address. */
function linkText({ value, url }: Link): string {
  if (url === undefined) return value;
  const [, scheme, rest = ''] = /^(mailto|tel):([^?]*)/.exec(url) ?? [];
  if (scheme === undefined) return `${value}: ${url}`;
  const address = decoded(rest);
  const signs = (text: string) => text.toLowerCase().replace(scheme === 'tel' ? /[^\d]/g : /\s/g, '');
  return signs(value).includes(signs(address)) ? value : address;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'paragraph': {
      const strong = block.strong === undefined ? '' : ` <b>${escapeMarkup(block.strong)}</b>`;
      const name = block.isSoft ? ' class="soft"' : block.isLarge ? ' class="large"' : '';
      return `<p${name}>${escapeMarkup(block.text)}${strong}</p>`;
    }
    case 'amount': {
      const isLarge = Array.from(block.value).length <= MAX_LARGE;
      return `<p class="${isLarge ? 'amount' : 'large'}"><b>${valueHtml(block)}</b></p>`;
    }
    case 'facts': {
      const { rows, quote } = block;
      const cells = [
        ...rows.map((row) => rowHtml(row, valueHtml(row))),
        ...(quote ? [rowHtml(quote, linesHtml(quote))] : []),
      ];
      return `<table cellpadding="4">\n${cells.join('\n')}\n</table>`;
    }
    case 'quote':
      return `<blockquote>${linesHtml(block)}</blockquote>`;
    case 'steps': {
      const items = block.steps.map(
        ({ text, code }) =>
          `<li>${escapeMarkup(text)}${code === undefined ? '' : ` <code>${escapeMarkup(code)}</code>`}</li>`,
      );
      return `<h2>${escapeMarkup(block.title)}</h2>\n<ol>\n${items.join('\n')}\n</ol>`;
    }
    case 'share': {
      const width = Math.max(1, Math.round(block.part * 100));
      const rest = width < 100 ? '<td></td>' : '';
      const words = `<td><b>${escapeMarkup(block.text)}</b></td><td align="right">${valueHtml(block.whole)}</td>`;
      return `<table class="bar" role="presentation"><tr><td width="${width}%"></td>${rest}</tr></table>
<table class="share" role="presentation"><tr>${words}</tr></table>`;
    }
    case 'from':
      return `<p class="from">${block.people.map(valueHtml).join(', ')}</p>`;
    case 'button': {
      const { text, url, reply } = block;
      const second = reply
        ? ` <a class="second" href="${escapeMarkup(reply.url)}">Reply to ${valueHtml({ value: reply.name })}</a>`
        : '';
      return `<p class="button"><a href="${escapeMarkup(url)}">${escapeMarkup(text)}</a>${second}</p>`;
    }
  }
}

function rowHtml({ label, isLarge = false }: Pick<Row, 'label' | 'isLarge'>, value: string): string {
  const cell = isLarge ? '<td class="large">' : '<td>';
  return `<tr><th align="left" valign="top">${escapeMarkup(label)}</th>${cell}${value}</td></tr>`;
}

function linesHtml({ lines }: Quote): string {
  return lines.map((value) => valueHtml({ value })).join('<br>');
}

function headlineHtml(headline: string, keep = '', isLarge: boolean): string {
  const [before = '', ...after] = keep ? headline.split(keep) : [headline];
  const amount = valueHtml({ value: keep, isClear: true });
  const isLine = Array.from(headline).length <= MAX_LARGE_LINE;
  const isShort = keep ? Array.from(keep).length <= MAX_LARGE : isLine;
  if (!isLarge || !isShort || isLine)
    return `<h1${isLarge && isShort ? ' class="amount"' : ''}>${[escapeMarkup(before), ...after.map(escapeMarkup)].join(amount)}</h1>`;
  return `<h1 class="amount">${escapeMarkup(before)}${amount}<small>${escapeMarkup(after.join(keep))}</small></h1>`;
}

/** The page without its scheme, as people type it. */
function codeHtml({ text, page, code }: NonNullable<MailContent['code']>): string {
  const shown = page.replace(/^https:\/\/|\/$/g, '');
  return interpolate(escapeMarkup(text), {
    page: `<a href="${escapeMarkup(page)}">${escapeMarkup(shown)}</a>`,
    code: `<code translate="no">${escapeMarkup(code)}</code>`,
  });
}

function valueHtml({ value, url, isClear }: Link): string {
  const text = `<bdi${isClear ? ' translate="no"' : ''}>${escapeMarkup(plainLine(value))}</bdi>`;
  return url === undefined ? text : `<a href="${escapeMarkup(url)}">${text}</a>`;
}

function pageHtml(
  { language, headline }: Pick<MailContent, 'language' | 'headline'>,
  elements: readonly string[],
  { accent }: PublishedSettings,
): string {
  return `<!doctype html>
<html lang="${escapeMarkup(language)}">
<head>
<meta charset="utf-8">
<title>${escapeMarkup(headline)}</title>
${mailStyle(accent)}
</head>
<body>
<main>
${elements.join('\n')}
</main>
</body>
</html>
`;
}
