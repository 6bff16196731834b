/** The state of a name in the catalogue, as it follows the last step of its deal. */
import type { NameChanges } from './name-changes.ts';
import { ownValue, savedValue } from './name-values.ts';
import type { NamesStore } from './names.ts';
import type { SessionCache } from './session-cache.ts';

export function createSoldName(
  { fileQuery }: Pick<NamesStore, 'fileQuery'>,
  { send }: Pick<NameChanges, 'send'>,
  { client }: Pick<SessionCache, 'client'>,
) {
  /** The state before the step, by name, for Undo. */
  const before = new Map<string, string | null>();
  /** One after the other: Undo may come before the change is saved. */
  let last: Promise<unknown> = Promise.resolve();

  /** Sets the state to sold, or back. Nothing where the product cannot write the file: the row shows the command. */
  function showSold(name: string, isSold: boolean): Promise<unknown> {
    last = last.then(() => change(name, isSold)).catch(() => {});
    return last;
  }

  async function change(name: string, isSold: boolean): Promise<void> {
    const read = await client.query({ ...fileQuery([name]), staleTime: 0 });
    const values = read !== 'unavailable' && read.file === 'own' ? read.names[name] : undefined;
    if (!values) return;
    const sold = savedValue('state', 'sold');
    const from = ownValue(values, 'state');
    const to = isSold ? sold : before.get(name);
    if (to === undefined || from === to || (!isSold && from !== sold)) return;
    if (isSold) before.set(name, from);
    else before.delete(name);
    await send([{ name, field: 'state', from, to }]);
  }

  return { showSold };
}
