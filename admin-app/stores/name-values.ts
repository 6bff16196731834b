/** The fields of a name, as a row edits them. */
import type { NameChange, NameValues, ShownValue } from '#contract/names.ts';

/** `state`, `price`, `minimum` or `description.LANGUAGE`. */
export type NameField = string;

/** A name that is for sale has no state in the file. */
export const FOR_SALE = 'for_sale';

/** What is typed, by field, with the values that stood there before. */
export interface NameDraft {
  readonly seen: NameValues;
  readonly typed: Readonly<Record<NameField, string>>;
}

const NO_VALUE: ShownValue = { value: null, is_default: true };

export function shownValue(values: NameValues, field: NameField): ShownValue {
  if (field === 'state' || field === 'price' || field === 'minimum') return values[field];
  return values.description[field.replace('description.', '')] ?? NO_VALUE;
}

export function withValue(values: NameValues, field: NameField, shown: ShownValue): NameValues {
  if (field === 'state' || field === 'price' || field === 'minimum') return { ...values, [field]: shown };
  return {
    ...values,
    description: { ...values.description, [field.replace('description.', '')]: shown },
  };
}

/** What the field shows: a state that is never empty, or the own text. One of `defaults` stands behind an empty field. */
export function fieldText(values: NameValues, field: NameField): string {
  return ownValue(values, field) ?? (field === 'state' ? FOR_SALE : '');
}

/** The value that the entry itself has. */
export function ownValue(values: NameValues, field: NameField): string | null {
  const { value, is_default } = shownValue(values, field);
  return is_default ? null : value;
}

/** The own value that a text is saved as. */
export function savedValue(field: NameField, text: string): string | null {
  const value = text.trim();
  return value === '' || (field === 'state' && value === FOR_SALE) ? null : value;
}

/** What a draft changes. */
export function changesOf(name: string, { seen, typed }: NameDraft): NameChange[] {
  return Object.entries(typed)
    .map(([field, text]) => ({ name, field, from: ownValue(seen, field), to: savedValue(field, text) }))
    .filter(({ from, to }) => from !== to);
}

/** Whether a value of `defaults` counts after a change, which is not known. */
export function hasUnknownDefault(changes: readonly NameChange[]): boolean {
  return changes.some(({ field, to }) => to === null && field !== 'state');
}

/** The same values after a change; none where the one of `defaults` counts now. */
export function valuesAfter(values: NameValues, changes: readonly NameChange[]): NameValues {
  let next = values;
  for (const { field, to } of changes) {
    if (to !== null && field.startsWith('description.')) next = withOwnDescription(next);
    next = withValue(next, field, { value: to, is_default: to === null });
  }
  return next;
}

/** With a text in one language the entry gets those of the default in the others. */
function withOwnDescription(values: NameValues): NameValues {
  const texts = Object.entries(values.description).map(([language, { value }]) => [
    language,
    { value, is_default: value === null },
  ]);
  return { ...values, description: Object.fromEntries(texts) };
}
