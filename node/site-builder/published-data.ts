import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UserError } from '../config/user-error.ts';

/** Exports, backups and databases, also unfinished ones, and the files of a data folder. */
const CUSTOMER_DATA =
  /\.(?:csv|backup|sql|sqlite)(?:\.draft)?$|^(?:secrets\.json|running\.json|admin-password\.txt|PG_VERSION)$/i;

/**
 * Checks a folder whose files are published as they are, through symbolic links too.
 * @throws UserError naming a file that holds customers' data or secrets
 */
export function assertNoCustomerData(folder: string): void {
  const file = findCustomerData(folder, new Set());
  if (file === undefined) return;
  throw new UserError(
    `${file} looks like customers’ data or secrets, and the build would publish it on every domain. ` +
      `Move it out of ${folder}/, then build again.`,
  );
}

/** @param seen folders that were read already: a link may lead back to one of them */
function findCustomerData(path: string, seen: Set<string>): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat && CUSTOMER_DATA.test(basename(path)) ? path : undefined;
  const real = realpathSync(path);
  if (seen.has(real)) return undefined;
  seen.add(real);
  for (const name of readdirSync(path).sort()) {
    const found = findCustomerData(join(path, name), seen);
    if (found !== undefined) return found;
  }
  return undefined;
}
