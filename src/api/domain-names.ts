import * as z from 'zod/mini';

const NamesSchema = z.array(z.string());

/** Fetches every domain's name, in the owner's order; a failure is an exception. The list stands with the pages. */
export async function fetchDomainNames(): Promise<string[]> {
  const response = await fetch('/domains/names.json', { signal: AbortSignal.timeout(15_000) });
  if (!response.ok) throw new Error(`names.json: ${response.status}`);
  return NamesSchema.parse(await response.json());
}
