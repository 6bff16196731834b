/**
 * The fields of an offer. The form, the schemas, the error messages and the export are made from this list; the labels stand
 * in `src/i18n`, the columns in `supabase/schemas`.
 */

interface VisitorField {
  /** The field in the functions' error messages. */
  readonly name: string;
  /** Longest text, in Unicode code points, so that an emoji counts as one or few. The column has the same check. */
  readonly max: number;
  /** Absent: plain text. An email has the format that a browser accepts in `<input type="email">`. */
  readonly type?: 'email';
  /** How a browser fills the field in: a token of HTML's `autocomplete`. */
  readonly autoComplete: string;
}

/** What a visitor fills in, by column, in the order of the form. All are required, and stored as entered. */
export const VISITOR_FIELDS = {
  /** Free text, never parsed: `1,000 €` and `make me smile` are both offers. */
  offer_amount: { name: 'your offer', max: 500, autoComplete: 'off' },
  customer_name: { name: 'your name', max: 200, autoComplete: 'name' },
  customer_email: { name: 'your email', max: 254, type: 'email', autoComplete: 'email' },
} as const satisfies Record<string, VisitorField>;

/**
 * Longest message, in code points: an optional text of several lines, for pages whose catalogue has `offerMessage`. The
 * functions accept it always, so that no offer is lost that was made on a page from before a build without the setting.
 */
export const MAX_MESSAGE = 1000;

export type VisitorFieldName = keyof typeof VISITOR_FIELDS;

export const VISITOR_COLUMNS = /* @__PURE__ */ Object.keys(VISITOR_FIELDS) as VisitorFieldName[];

/** An object with one value for each field that a visitor fills in. */
/* @__NO_SIDE_EFFECTS__ */
export function forEachVisitorField<Value>(
  make: (field: VisitorField, column: VisitorFieldName) => Value,
): Record<VisitorFieldName, Value> {
  const entries = Object.entries(VISITOR_FIELDS) as [VisitorFieldName, VisitorField][];
  return Object.fromEntries(entries.map(([column, field]) => [column, make(field, column)])) as Record<
    VisitorFieldName,
    Value
  >;
}
