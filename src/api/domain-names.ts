import { timeoutSignal } from './timeout-signal.ts';

const TIMEOUT_MS = 15_000;

export interface DomainName {
  name: string;
  /** Decoded: an `xn--` name in its own letters. */
  shown: string;
}

/** Every domain's name, in the owner's order. */
export interface DomainNames {
  /** Changes with the names and their order. */
  hash: string;
  names: DomainName[];
}

/** Fetches the names. @throws Error if the list cannot be loaded */
export async function fetchDomainNames(): Promise<DomainNames> {
  const path = '/domains/names.json';
  const [hash = '', ...lines] = (await fetchList(path)).map((text) => textIn(path, text));
  // Each line is a name; its decoded form follows after a space where it differs.
  const names = lines.map((line) => {
    const [name = '', shown = name] = line.split(' ');
    return { name, shown };
  });
  return { hash, names };
}

/** What lists and cards say of a domain, and what is shown once it is selected. */
export interface DomainDescription {
  /** Empty where there is none, or that of all domains. */
  text: string;
  /** Where it is not the page's. */
  lang?: string;
  /** Where visitors see it, on cards or once the domain is selected. */
  price?: string;
  /** Of a price that is the owner's own words, and not one amount in the page's format. */
  priceLang?: string;
  /** Place by price, where cards show it. */
  rank?: number;
  buyNow?: string;
  instalments?: string;
  hasBroker?: boolean;
  hasMinimum?: true;
}

/**
 * Fetches every domain's description, in the order of the names. The hash is in the URL, so that no cache has those of
 * other names.
 * @param prefix path prefix of the language: empty, or `/de`
 * @param hash of the names
 * @throws Error if the list cannot be loaded, or belongs to other names: the site was built in between
 */
export async function fetchDescriptions(prefix: string, hash: string): Promise<DomainDescription[]> {
  const path = `${prefix}/domains/descriptions.json?${hash}`;
  const [theirs, ...entries] = await fetchList(path);
  if (theirs !== hash) throw new Error(`${path}: the names have changed`);
  return entries.map((entry) => {
    if (typeof entry === 'string') return { text: entry };
    const described = entry as DomainDescription | null;
    textIn(path, described?.text);
    return described as DomainDescription;
  });
}

async function fetchList(path: string): Promise<unknown[]> {
  const response = await fetch(path, { signal: timeoutSignal(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  const list: unknown = await response.json();
  if (!Array.isArray(list)) throw unreadable(path);
  return list;
}

/** Without a schema: pages without the search would load what only this one needs. */
function textIn(path: string, value: unknown): string {
  if (typeof value !== 'string') throw unreadable(path);
  return value;
}

function unreadable(path: string): Error {
  return new Error(`${path}: not a list of texts`);
}
