/** `npm run erase -- name@example.com`: removes every offer of one customer, as the law may ask. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '../config/settings.ts';
import { UserError } from '../config/user-error.ts';
import { callTool, withDatabase } from '../embedded-backend/call-owner-tool.ts';
import { ERASURES_FILE } from '../embedded-backend/erasures.ts';
import { eraseCustomer } from '../hosted-project/offers.ts';
import { openProject } from '../hosted-project/project.ts';
import { countOffers } from './count-offers.ts';
import { backupFolder, copyErasures } from './erasures-beside.ts';
import { readTool } from './read-tool.ts';
import './report-errors.ts';

const [given = '', ...more] = process.argv.slice(2);
const email = given.trim();
if (!/^[^\s@]+@[^\s@]+$/.test(email) || more.length > 0) {
  throw new UserError('Please name one email address, like this: npm run erase -- name@example.com');
}
const { dataDir, supabase } = readSettings();
// Before it was moved, the customer may have been here too, and another npm run move would take the rest there.
const isHere = supabase === undefined || existsSync(join(dataDir, 'database'));
const erasedHere = isHere ? await eraseEmbedded(dataDir, email) : 0;
const erasedThere = supabase ? await eraseCustomer(openProject(supabase), email) : 0;
const erased = supabase ? erasedThere : erasedHere;
const outcome =
  erased === 0
    ? 'There is no offer from that address. Backups made earlier may hold some'
    : `Erased ${countOffers(erased)}. Backups made earlier still hold them`;
console.log(`${outcome}${supabase ? '.' : `; ${describeReplay(dataDir)}`}`);
if (supabase && erasedHere > 0) console.log(`Erased ${countOffers(erasedHere)} in ${dataDir} as well.`);

async function eraseEmbedded(dataDir: string, email: string): Promise<number> {
  return await withDatabase(dataDir, async (control) => {
    // First, so that whatever interrupts the erasure, a restore repeats it.
    await callTool(control, 'note-erasure', { method: 'POST', body: email });
    return (await readTool<{ erased: number }>(control, 'erase', email)).erased;
  });
}

/** Notes the erasure beside the backups too. */
function describeReplay(dataDir: string): string {
  const copy = `copy ${join(dataDir, ERASURES_FILE)} beside a backup before you restore it.`;
  const folder = backupFolder(dataDir);
  if (folder === undefined) return copy;
  try {
    copyErasures(dataDir, folder, true);
    return `restoring one from ${folder} erases them again.`;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return `${copy} It could not be copied to ${folder} now (${code ?? message}).`;
  }
}
