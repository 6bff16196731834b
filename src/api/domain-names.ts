import * as z from 'zod/mini';

/** Each item is a name; its decoded form follows after a space where it differs. */
const NamesSchema = z.array(z.string());

export interface DomainName {
  name: string;
  /** Decoded: an `xn--` name in its own letters. */
  shown: string;
}

/** Fetches every domain's name, in the owner's order. @throws Error if the list cannot be loaded */
export async function fetchDomainNames(): Promise<DomainName[]> {
  const response = await fetch('/domains/names.json', { signal: AbortSignal.timeout(15_000) });
  if (!response.ok) throw new Error(`names.json: ${response.status}`);
  return NamesSchema.parse(await response.json()).map((line) => {
    const [name = '', shown = name] = line.split(' ');
    return { name, shown };
  });
}
