/** The two statements of the table `offers`: queries of the grammar (rest-query.ts) as SQL, with every value bound. */
import {
  CHANGE_OFFER,
  KEY_FILTER,
  OFFER_COLUMNS,
  READ_OFFERS,
  readQuery,
} from '../backend-requests/rest-query.ts';

export interface Statement {
  /** With `$1` for the values. */
  readonly text: string;
  /** As JSON. */
  readonly values: string;
  /** Rows that are left out before the first one. */
  readonly first?: number;
}

/** As a hosted project has it: `max_rows`. */
const MAX_ROWS = 1_000;

/**
 * @param isCounted also counts the rows without `limit` and `offset`
 * @returns undefined outside the grammar
 */
export function readOffers(query: string, isCounted: boolean): Statement | undefined {
  const checked = readQuery(query, READ_OFFERS);
  if (checked === undefined) return undefined;
  const wanted = new URLSearchParams(checked);
  const { values, bind } = createValues();
  const limit = `least(${bind(wanted.get('limit') ?? String(MAX_ROWS), 'bigint')}, ${MAX_ROWS})`;
  const found = `from public.offers${where(wanted, bind)}`;
  const first = Number(wanted.get('offset') ?? 0);
  const page = `select ${columns(wanted)} ${found}${order(wanted)} limit ${limit} offset ${bind(String(first), 'bigint')}`;
  return {
    text: asJson(page, isCounted ? ` || '/' || (select count(*) ${found})` : ''),
    values: JSON.stringify(values),
    first,
  };
}

/** @returns undefined outside the grammar */
export function changeStatus(query: string, status: string): Statement | undefined {
  const checked = readQuery(query, CHANGE_OFFER, ['id']);
  if (checked === undefined) return undefined;
  const wanted = new URLSearchParams(checked);
  const { values, bind } = createValues();
  const set = `update public.offers set status = ${bind(status, 'text')}${where(wanted, bind)}`;
  return { text: asJson(`${set} returning ${columns(wanted)}`), values: JSON.stringify(values) };
}

type Bind = (value: string, type: string) => string;

function createValues(): { values: string[]; bind: Bind } {
  const values: string[] = [];
  return { values, bind: (value, type) => `($1 ->> ${values.push(value) - 1})::${type}` };
}

/** @param total SQL that is added to the number of rows */
function asJson(statement: string, total = ''): string {
  return `with o as (${statement}) select coalesce(json_agg(o), '[]')::text, count(*)::text${total} from o`;
}

function where(wanted: URLSearchParams, bind: Bind): string {
  const conditions = [...wanted].flatMap(([name, value]) => {
    const [, text = ''] = value.split('.');
    if (name === 'id') return `id = ${bind(text, 'uuid')}`;
    if (name === 'status') return `status = ${bind(text, 'text')}`;
    if (name === 'held' || name === 'low') return `${name} is ${text === 'true'}`;
    return name === 'or' ? fromKey(value, bind) : [];
  });
  return conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
}

/** Rows from a key on. */
function fromKey(value: string, bind: Bind): string {
  const [, , at = '', , sameAt = '', beside = '', , id = ''] = KEY_FILTER.exec(value) ?? [];
  const isBefore = `id ${beside === 'lte' ? '<=' : '<'} ${bind(id, 'uuid')}`;
  const sameTime = `created_at = ${bind(sameAt, 'timestamptz')} and ${isBefore}`;
  return `(created_at < ${bind(at, 'timestamptz')} or (${sameTime}))`;
}

function columns(wanted: URLSearchParams): string {
  const names = wanted.get('select') ?? '*';
  return names === '*' ? '*' : names.split(',').map(columnOf).join(', ');
}

function order(wanted: URLSearchParams): string {
  const terms = wanted.get('order')?.split(',') ?? [];
  const sorted = terms.map(
    (term) => `${columnOf(term.replace(/\..*/, ''))}${term.endsWith('.desc') ? ' desc' : ''}`,
  );
  return sorted.length > 0 ? ` order by ${sorted.join(', ')}` : '';
}

/** The name as the contract has it. */
function columnOf(name: string): string {
  const column = OFFER_COLUMNS.find((one) => one === name);
  if (column === undefined) throw new TypeError('no column of offers');
  return column;
}
