/** Ends a command: prints the message of an expected error, and any other error with its stack. */
export function reportAndExit(error: unknown): never {
  reportError(error, console);
  process.exit(1);
}

/** Prints the message of an expected error, and any other error with its stack. */
export function reportError(error: unknown, { error: print }: Pick<Console, 'error'>): void {
  const message = messageFor(error);
  print(message ? `\n${message}\n` : error);
}

/** The message of an expected error, undefined for any other. */
export function messageFor(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (['UserError', 'CatalogueError', 'BrandingError', 'MessagesError'].includes(error.name))
    return error.message;
  const { code = '', path } = error as NodeJS.ErrnoException;
  const remedy = REMEDIES[code];
  return path && remedy ? `${path} ${remedy} (${code}).` : undefined;
}

/** Remedies for errors of the operating system, by code. */
const REMEDIES: Record<string, string> = {
  EACCES: 'may not be read or written by this user: change its rights, or run this as its owner',
  EPERM: 'may not be read or written by this user: change its rights, or run this as its owner',
  EROFS: 'lies where nothing can be written: copy the project elsewhere',
  ENOSPC: 'cannot be written, because the disk is full: make room',
};
