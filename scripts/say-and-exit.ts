/** Ends a command: an expected mistake is told in its own sentence, anything else with its stack. */
export function sayAndExit(error: unknown): never {
  const expected =
    error instanceof Error && ['SettingError', 'CatalogueError', 'TextsError'].includes(error.name);
  console.error(expected ? `\n${error.message}\n` : error);
  process.exit(1);
}
