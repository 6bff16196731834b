/** `npm run deploy:worker [-- --dry-run]`: deploys the build to Cloudflare, with the site's hosts. */

import { settingsOf } from '../config/settings.ts';
import { commandOf, consoleOf, runAsProcess } from '../process/command.ts';
import { readOptions } from '../process/read-options.ts';
import { reportInterrupt } from '../process/report-interrupt.ts';
import { UserError } from '../process/user-error.ts';
import { isFresh } from '../site-builder/build-hash.ts';
import { prepareCatalogue } from '../site-builder/build-site.ts';
import { readSiteFacts } from '../site-builder/built-site/site-facts.ts';
import { liveBuild } from '../site-builder/live-build.ts';
import { targetsOf } from './doctor/hosts.ts';
import { makeWorkerFolder } from './worker/make-worker-folder.ts';
import { runWrangler } from './worker/wrangler.ts';

/** Cloudflare's limit of zones that lead to a Worker, as of 2026-11. */
const MAX_ZONES = 1_000;

const STOPPED =
  'Stopped. Visitors get the Worker as it was, or the new one where the upload had ended: run npm run deploy:worker again.';

export const run = commandOf(async (argv, io) => {
  const { values } = readOptions(
    { args: argv, options: { 'dry-run': { type: 'boolean' } } },
    'npm run deploy:worker has one option: --dry-run makes the Worker and uploads nothing.',
  );
  const output = values['dry-run'] ? ['--dry-run', '--outdir', '.astro/worker/bundle'] : [];
  const { log } = consoleOf(io);
  const settings = settingsOf(io);
  const { supabase, adminHost } = settings;
  if (!supabase) {
    throw new UserError(
      'A Worker has no embedded backend: set SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY of a hosted project in .env.',
    );
  }
  prepareCatalogue(io);
  // A build publishes the catalogue as well.
  if (!isFresh(settings))
    throw new UserError('The build is not up to date: run npm run build, then this again.');
  const dist = liveBuild();
  const note = makeWorkerFolder(dist, adminHost);
  if (note) log(note);
  const { names, hosts } = readSiteFacts(dist);
  const domains = targetsOf({ names, hosts, adminHost }).map(({ host }) => host);
  if (names.size > MAX_ZONES) {
    log(`A Worker takes ${MAX_ZONES} zones, and the site has ${names.size} domains: no host is attached.`);
    domains.length = 0;
  }
  const args = domains.flatMap((domain) => ['--domain', domain]);
  if ((await runWrangler(['deploy', '--minify', ...args, ...output], io.env)) !== 0) {
    throw new UserError(
      'Wrangler failed (see above). Sign in with npx wrangler login, or set CLOUDFLARE_API_TOKEN; check the network. Then run ' +
        'npm run deploy:worker again: until it ends well, visitors get the Worker as it was.',
    );
  }
});

if (import.meta.main) {
  reportInterrupt(STOPPED);
  await runAsProcess(run);
}
