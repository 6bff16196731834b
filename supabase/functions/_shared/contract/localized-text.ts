import * as z from 'zod/mini';

/** A text of the owner's: one for all languages, or one by language. */
export const LocalizedTextSchema = /* @__PURE__ */ (() =>
  z.union([z.string(), z.record(z.string(), z.optional(z.string()))]))();
export type LocalizedText = z.infer<typeof LocalizedTextSchema>;

/** The text in the first of these languages that has one. Empty where none has. */
export function textIn(text: LocalizedText, languages: readonly string[]): string {
  if (typeof text === 'string') return text;
  const language = languages.find((one) => Object.hasOwn(text, one));
  return (language !== undefined && text[language]) || '';
}
