/** Reads `texts.LANG.yaml`: the owner's own texts in one language, `KEY: text` on each line. */
import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import type { Mistake } from '../catalogue/describe-mistakes.ts';
import { UNLIMITED_ALIASES, whyUnreadable } from '../catalogue/unreadable.ts';
import { placeholdersOf } from '../i18n/find-missing-message.ts';
import { type Language, messagesOf } from '../i18n/languages.ts';
import { type OwnTexts, textsOf } from '../i18n/own-texts.ts';
import { quoted } from './quoted.ts';

/** A text may have twice as many characters as the one that it replaces, and this number in any case. */
const MIN_LIMIT = 60;
const LIST = 'npm run catalogue -- texts lists the keys';
/** Characters that draw nothing; the last one is a Braille cell without dots. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Z}\p{Cc}\u2800]/gu;

export interface TextsFile {
  readonly texts: OwnTexts;
  readonly mistakes: readonly Mistake[];
}

/** The texts that an owner may replace, by key. */
export function replaceableTexts(language: Language): Map<string, string> {
  const texts = textsOf(messagesOf(language));
  // A code that visitors do not see.
  texts.delete('seo.locale');
  return texts;
}

export function readOwnTexts(text: string, language: Language): TextsFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const unreadable = whyUnreadable(document, lines, text, ([key]) => nameOf(key?.toString()));
  if (unreadable.length > 0) return { texts: {}, mistakes: unreadable };
  const built = replaceableTexts(language);
  const entries = entriesOf(document);
  const texts: Record<string, string> = {};
  const mistakes: Mistake[] = [];
  const reject = ({ key, offset }: Entry, why: string) =>
    mistakes.push({ what: `${nameOf(key)} ${why}`, at: lines.linePos(offset) });
  for (const entry of entries) {
    const { key, value } = entry;
    const why =
      key === undefined
        ? 'is not right: write lines such as page.header: Names worth owning'
        : whyNotText(key, value, built);
    if (why) reject(entry, why);
    else if (key !== undefined) texts[key] = String(value).trim();
  }
  for (const entry of entries) {
    const { key = '' } = entry;
    const isEmpty = (one: string) => (texts[one] ?? built.get(one))?.trim() === '';
    if (texts[key] === '' && isPartOfList(key) && partsOfList(key, built).every(isEmpty))
      reject(entry, 'leaves nothing of its headline: write a text in one of its parts');
  }
  return { texts, mistakes };
}

/** A key for a message. */
function nameOf(key: string | undefined): string {
  if (key === undefined) return 'the file';
  return `text ${/^[\w.-]{1,60}$/.test(key) ? key : quoted(key)}`;
}

interface Entry {
  /** Undefined where the file is not a list of keys. */
  readonly key: string | undefined;
  readonly value: unknown;
  readonly offset: number;
}

function entriesOf(document: Document.Parsed): Entry[] {
  const { contents } = document;
  const data: unknown = document.toJS(UNLIMITED_ALIASES);
  if (data === null) return [];
  if (!isMap(contents)) return [{ key: undefined, value: undefined, offset: contents?.range?.[0] ?? 0 }];
  return contents.items.map(({ key }) => {
    const name = isScalar(key) ? String(key.value) : undefined;
    const value = name === undefined ? undefined : (data as Record<string, unknown>)[name];
    return { key: name, value, offset: isScalar(key) ? (key.range?.[0] ?? 0) : 0 };
  });
}

function whyNotText(key: string, value: unknown, built: ReadonlyMap<string, string>): string | undefined {
  const own = built.get(key);
  if (own === undefined) {
    const inside = [...built.keys()].find((one) => one.startsWith(`${key}.`));
    if (inside) return `is not the key of one text: write each with its whole key, such as ${inside}`;
    return `is not a known key: remove it or correct its spelling (${LIST})`;
  }
  if (typeof value !== 'string') return 'is not a text: put it in quotes';
  const text = value.trim();
  const mayBeEmpty = text === '' && (own === '' || isPartOfList(key));
  if (!mayBeEmpty && text.replace(INVISIBLE, '') === '') return 'is empty: write a text, or remove the line';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (!text.isWellFormed() || /[\0-\x1F\x7F-\x9F\u2028\u2029\u202A-\u202E\u2066-\u2069]/.test(text))
    return 'has a line break or an invisible control character: write it on one line';
  if (/<[a-z/!?]|&#?\w+;/i.test(text)) return 'has markup: write plain text, without < and > or & codes';
  const max = Math.max(MIN_LIMIT, own.length * 2);
  if (text.length > max) return `has ${text.length} characters: shorten it to at most ${max}`;
  const [has, wanted] = [text, own].map(placeholdersOf);
  // An owner's text may say when an answer comes in other words.
  if (has === wanted || has === wanted?.replace(/ ?\{replyTime\}/, '').trim()) return undefined;
  return `has other placeholders than the text that it replaces: ${wanted ? `write ${wanted} in it` : 'write it without {…}'}`;
}

/** A part of a headline may be empty. */
function isPartOfList(key: string): boolean {
  return /\.\d+$/.test(key);
}

function partsOfList(key: string, built: ReadonlyMap<string, string>): string[] {
  const list = key.replace(/\d+$/, '');
  return [...built.keys()].filter((one) => one.replace(/\d+$/, '') === list);
}
