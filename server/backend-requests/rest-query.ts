/**
 * The grammar of queries to the data API: what the dashboard and a reader of all offers need of PostgREST, and nothing else. A query is parsed
 * and then written anew, so that the backend's own parser never sees what a visitor wrote.
 */
import { TEXTS } from '#contract/calls.ts';
import { OfferSchema } from '#contract/offer.ts';

/** Columns of `offers` that a query may name. */
export const OFFER_COLUMNS: readonly string[] = Object.keys(OfferSchema.shape);

/** Longest query, in characters; the dashboard's longest has some 300. */
const MAX_LENGTH = 1_024;

const ONE_ID = new RegExp(`^eq\\.${TEXTS.uuid}$`);
/** The key of a row: all rows that are older, and with `lte` itself. */
export const KEY_FILTER = new RegExp(
  `^\\(created_at\\.lt\\.("?)(${TEXTS.time})\\1,and\\(created_at\\.eq\\.("?)(${TEXTS.time})\\3,id\\.(lte?)\\.("?)(${TEXTS.uuid})\\6\\)\\)$`,
);

/** Parses the value of one parameter and rewrites it; undefined outside the grammar. */
type ReadValue = (value: string) => string | undefined;

/** A parameter with values of a pattern. */
export function matching(pattern: RegExp): ReadValue {
  return (value) => (pattern.test(value) ? value : undefined);
}

const columns: ReadValue = (value) => (value === '*' || areColumns(value.split(',')) ? value : undefined);

const order: ReadValue = (value) =>
  areColumns(value.split(',').map((term) => term.replace(/\.(?:asc|desc)$/, ''))) ? value : undefined;

const key: ReadValue = (value) => {
  const [, , at, , sameAt, beside, , id] = KEY_FILTER.exec(value) ?? [];
  return at && `(created_at.lt."${at}",and(created_at.eq."${sameAt}",id.${beside}."${id}"))`;
};

/** A query's parameters, by name. */
export type QueryGrammar = Readonly<Record<string, ReadValue>>;

const flag = matching(/^(?:eq|is)\.(?:true|false)$/);

export const READ_OFFERS: QueryGrammar = {
  id: matching(ONE_ID),
  held: flag,
  low: flag,
  select: columns,
  order,
  limit: matching(/^\d{1,6}$/),
  offset: matching(/^\d{1,9}$/),
  or: key,
};

export const CHANGE_OFFER: QueryGrammar = {
  id: matching(ONE_ID),
  status: matching(/^eq\.[a-z]{1,20}$/),
  select: columns,
};

/** For routes without a query. */
export const NO_QUERY: QueryGrammar = {};

/** A parameter with exactly these values. */
export function oneOf(...values: string[]): ReadValue {
  return (value) => (values.includes(value) ? value : undefined);
}

/**
 * Parses a query and rewrites it.
 * @param query as it was sent, without `?`
 * @param required parameters that must be there
 * @returns the new query; undefined where it is off the grammar: an unknown, missing, repeated or encoded name, a wrong value
 */
export function readQuery(
  query: string,
  grammar: QueryGrammar,
  required: readonly string[] = [],
): string | undefined {
  if (query.length > MAX_LENGTH) return undefined;
  const written = new URLSearchParams();
  for (const part of query === '' ? [] : query.split('&')) {
    const at = part.indexOf('=');
    // Names are compared as they were sent: an encoded name is none of these.
    const name = part.slice(0, Math.max(at, 0));
    if (!Object.hasOwn(grammar, name) || written.has(name)) return undefined;
    const value = decoded(part.slice(at + 1));
    const known = value === undefined ? undefined : grammar[name]?.(value);
    if (known === undefined) return undefined;
    written.append(name, known);
  }
  return required.every((name) => written.has(name)) ? written.toString() : undefined;
}

/** Whether names are columns of `offers`, each once. */
function areColumns(names: readonly string[]): boolean {
  return names.every((name) => OFFER_COLUMNS.includes(name)) && new Set(names).size === names.length;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
