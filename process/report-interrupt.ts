/** Exit codes by signal, as shells have them. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Makes Ctrl-C (and SIGTERM, SIGHUP) end the command with a message: what is left as it is, and what to do. */
export function reportInterrupt(message: string): void {
  for (const [signal, code] of Object.entries(EXIT_CODES)) {
    process.once(signal, () => {
      console.error(`\n${message}\n`);
      process.exit(code);
    });
  }
}
