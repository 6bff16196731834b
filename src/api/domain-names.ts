import * as z from 'zod/mini';

const TIMEOUT_MS = 15_000;

const TextsSchema = z.array(z.string());

export interface DomainName {
  name: string;
  /** Decoded: an `xn--` name in its own letters. */
  shown: string;
}

/** Fetches every domain's name, in the owner's order. @throws Error if the list cannot be loaded */
export async function fetchDomainNames(): Promise<DomainName[]> {
  // Each item is a name; its decoded form follows after a space where it differs.
  return (await fetchTexts('/domains/names.json')).map((line) => {
    const [name = '', shown = name] = line.split(' ');
    return { name, shown };
  });
}

/**
 * Fetches every domain's description, in the order of the names. @throws Error if the list cannot be loaded
 * @param prefix path prefix of the language: empty, or `/de`
 */
export function fetchDescriptions(prefix: string): Promise<string[]> {
  return fetchTexts(`${prefix}/domains/descriptions.json`);
}

async function fetchTexts(path: string): Promise<string[]> {
  const response = await fetch(path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return TextsSchema.parse(await response.json());
}
