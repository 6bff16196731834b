import * as z from 'zod/mini';

/** Each is a name, and after a space how a person reads it, where that is another text: most are the name alone. */
const NamesSchema = z.array(z.string());

export interface DomainName {
  name: string;
  /** As a person reads it. */
  shown: string;
}

/** Fetches every domain's name, in the owner's order; a failure is an exception. The list stands with the pages. */
export async function fetchDomainNames(): Promise<DomainName[]> {
  const response = await fetch('/domains/names.json', { signal: AbortSignal.timeout(15_000) });
  if (!response.ok) throw new Error(`names.json: ${response.status}`);
  return NamesSchema.parse(await response.json()).map((line) => {
    const [name = '', shown = name] = line.split(' ');
    return { name, shown };
  });
}
