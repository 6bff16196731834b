/** Ends a command: an expected mistake is told in its own sentence, anything else with its stack. */
export function sayAndExit(error: unknown): never {
  const sentence = sentenceFor(error);
  console.error(sentence ? `\n${sentence}\n` : error);
  process.exit(1);
}

function sentenceFor(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (['SettingError', 'CatalogueError', 'MessagesError'].includes(error.name)) return error.message;
  const { code = '', path } = error as NodeJS.ErrnoException;
  const remedy = REMEDIES[code];
  return path && remedy ? `${path} ${remedy} (${code}).` : undefined;
}

/** What the system refuses to whoever runs a command, and what helps. */
const REMEDIES: Record<string, string> = {
  EACCES: 'may not be read or written by this user: change its rights, or run this as its owner',
  EPERM: 'may not be read or written by this user: change its rights, or run this as its owner',
  EROFS: 'lies where nothing can be written: copy the project elsewhere',
  ENOSPC: 'cannot be written, because the disk is full: make room',
};
