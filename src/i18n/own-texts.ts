/** The owner's own texts in place of messages. */

/** Texts by key, such as `page.header`. */
export type OwnTexts = Readonly<Record<string, string>>;

/** Every text of messages by its key. Texts of a list have their position in it, from 1: `headline.selected.1`. */
export function textsOf(messages: object, path = ''): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(messages)) {
    const key = path + (Array.isArray(messages) ? Number(name) + 1 : name);
    if (typeof value === 'string') texts.set(key, value);
    else for (const [inner, text] of textsOf(value, `${key}.`)) texts.set(inner, text);
  }
  return texts;
}

/** Messages with the owner's texts, which have been checked, in place of those with the same keys. */
export function withOwnTexts<Messages extends object>(
  messages: Messages,
  texts: OwnTexts,
  path = '',
): Messages {
  const replaced = Object.entries(messages).map(([name, value]) => {
    const key = path + (Array.isArray(messages) ? Number(name) + 1 : name);
    return [name, typeof value === 'string' ? (texts[key] ?? value) : withOwnTexts(value, texts, `${key}.`)];
  });
  const made = Array.isArray(messages) ? replaced.map(([, value]) => value) : Object.fromEntries(replaced);
  return made as Messages;
}
