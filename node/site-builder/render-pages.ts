/** Runs Astro in a process of its own: build-site.ts starts it with the settings that the pages may know, and no other. */
import { resolve } from 'node:path';
import { build } from 'astro';

const { OUT_DIR = '.builds/next' } = process.env;

// The parent process has ended, perhaps killed, and no longer holds the lock: another build may use the folder now.
process.stdin.on('end', () => process.exit(1)).resume();
await build({
  outDir: resolve(OUT_DIR),
  logLevel: 'warn',
  // Not among the packages, which a service may not write.
  vite: { cacheDir: resolve('.astro/vite') },
}).catch((error) => {
  console.error(error);
  process.exit(1);
});
process.stdin.destroy();
