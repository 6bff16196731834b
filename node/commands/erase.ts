/** `npm run erase -- name@example.com`: removes every offer of one customer, as the law may ask. */

import { reportAndExit } from '../config/report-and-exit.ts';
import { UserError } from '../config/user-error.ts';
import { callTool, withDatabase } from '../embedded-backend/call-owner-tool.ts';
import { countOffers } from './count-offers.ts';
import { embeddedDataDir } from './embedded-data-dir.ts';

try {
  const [given = '', ...more] = process.argv.slice(2);
  const email = given.trim();
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || more.length > 0) {
    throw new UserError('Please name one email address, like this: npm run erase -- name@example.com');
  }
  const { erased } = await withDatabase(embeddedDataDir(), async (control) => {
    const response = await callTool(control, 'erase', { method: 'POST', body: email });
    return (await response.json()) as { erased: number };
  });
  console.log(
    erased === 0
      ? 'There is no offer from that address.'
      : `Erased ${countOffers(erased)}. Backups made earlier still hold them.`,
  );
} catch (error) {
  reportAndExit(error);
}
