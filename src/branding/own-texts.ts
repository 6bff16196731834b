/** Reads `texts.LANG.yaml`: the owner's own texts in one language, `KEY: text` on each line. */
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import type { Problem } from '../catalogue/describe-problems.ts';
import { whyUnreadable } from '../catalogue/unreadable.ts';
import { placeholdersOf } from '../i18n/find-missing-message.ts';
import { type Language, messagesOf } from '../i18n/languages.ts';
import { type OwnTexts, textsOf } from '../i18n/own-texts.ts';

const LIST = 'npm run catalogue -- texts lists the keys';

/** The texts that an owner may replace, by key. */
export function replaceableTexts(language: Language): Map<string, string> {
  const texts = textsOf(messagesOf(language));
  // A code that visitors do not see.
  texts.delete('seo.locale');
  return texts;
}

export function readOwnTexts(
  text: string,
  language: Language,
): { readonly texts: OwnTexts; readonly problems: readonly Problem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const unreadable = whyUnreadable(document, lines, text, ([key]) =>
    key === undefined ? 'the file' : `text ${String(key)}`,
  );
  if (unreadable.length > 0) return { texts: {}, problems: unreadable };
  const { contents } = document;
  if (contents === null) return { texts: {}, problems: [] };
  if (!isMap(contents)) {
    const what = 'is not right: write lines such as page.header: Names worth owning';
    return { texts: {}, problems: [{ what, at: lines.linePos(contents.range[0]) }] };
  }
  const built = replaceableTexts(language);
  const texts: Record<string, string> = {};
  const problems = contents.items.flatMap(({ key, value }) => {
    const name = String(key);
    const own = isScalar(value) ? value.value : value;
    const why = whyNotText(own, built.get(name));
    if (!why) texts[name] = String(own).trim();
    return why ? [{ what: `text ${name} ${why}`, at: lines.linePos(key.range?.[0] ?? 0) }] : [];
  });
  return { texts, problems };
}

/** @param built the text that it replaces */
function whyNotText(own: unknown, built: string | undefined): string | undefined {
  if (built === undefined) return `is not a known key: remove it or correct its spelling (${LIST})`;
  if (typeof own !== 'string') return 'is not a text: put it in quotes';
  const [has, wanted] = [own, built].map(placeholdersOf);
  // An owner's text may say when an answer comes in other words.
  if (has === wanted || has === wanted?.replace(/ ?\{replyTime\}/, '').trim()) return undefined;
  return `has other placeholders than the text that it replaces: ${wanted ? `write ${wanted} in it` : 'write it without {…}'}`;
}
