/** Runs Astro in a process of its own: build-site.ts starts it with the settings that the pages may know, and no other. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'astro';
import { messageFor } from '../process/report-and-exit.ts';
import { ICON } from '../src/branding/branding-files.ts';
import { loadBranding } from '../src/branding/load-branding.ts';
import { logosOf } from '../src/branding/shown-branding.ts';
import { loadCatalogue } from '../src/catalogue/load.ts';
import { addShareImages } from './share-images.ts';

const { OUT_DIR = '.builds/next' } = process.env;
const client = resolve(OUT_DIR, 'client');

// The parent process has ended, perhaps killed, and no longer holds the lock: another build may use the folder now.
process.stdin.on('end', () => process.exit(1)).resume();
try {
  await build({
    outDir: resolve(OUT_DIR),
    logLevel: 'warn',
    // Not among the packages, which a service may not write.
    vite: { cacheDir: resolve('.astro/vite') },
  });
  await addPictures();
  await addShareImages(client);
} catch (error) {
  console.error(messageFor(error) ?? error);
  process.exit(1);
}
process.stdin.destroy();

/** Those of the owner. */
async function addPictures(): Promise<void> {
  const branding = loadBranding();
  for (const { path, bytes } of await logosOf(branding, loadCatalogue().settings.colorScheme))
    writeFileSync(join(client, path), bytes);
  if (branding.icon) copyFileSync(branding.icon, join(client, ICON));
}
