import { constants } from 'node:os';
import { getSystemErrorMessage } from 'node:util';

/** Codes of PGlite's file system (WASI's numbers). */
const CODES: Record<number, keyof typeof constants.errno> = {
  2: 'EACCES',
  19: 'EDQUOT',
  22: 'EFBIG',
  29: 'EIO',
  33: 'EMFILE',
  51: 'ENOSPC',
  63: 'EPERM',
  69: 'EROFS',
};

/** What an error of PGlite says, without a full stop. Those of its file system have a number and no message. */
export function reasonOf(error: unknown): string {
  const { message, errno, name } = error as Partial<NodeJS.ErrnoException>;
  if (message) return message.replace(/\.?(?:\n.*)?$/s, '');
  const code = CODES[errno ?? 0];
  return code ? `${code}, ${getSystemErrorMessage(-constants.errno[code])}` : `${name} ${errno}`;
}
