/** `npm run build`: makes the whole site in dist/, and waits until a running product serves it. */

import { type Settings, settingsOf } from '../config/settings.ts';
import { commandOf, consoleOf, type Io, runAsProcess } from '../process/command.ts';
import { takeNoOptions } from '../process/read-options.ts';
import { findBotCheckProblem } from '../server/backend-client/bot-check-problem.ts';
import { openHosted } from '../server/backend-client/project.ts';
import { publisherOf } from '../server/catalogue-publication/publisher.ts';
import { waitUntilServed } from '../server/catalogue-publication/wait-until-served.ts';
import { buildSite, prepareCatalogue } from '../site-builder/build-site.ts';
import { findPublication } from '../site-builder/built-site/publication.ts';
import { DIST } from '../site-builder/live-build.ts';

/** Builds in the process's folder, whose code makes the pages. */
export const run = commandOf(async (argv, io) => {
  takeNoOptions('npm run build', 'what it builds is set in .env: see .env.example.', argv);
  prepareCatalogue(io);
  const settings = settingsOf(io);
  if (settings.supabase) await buildForHosted(settings, settings.supabase, io);
  else await buildForEmbedded(settings, io);
});

async function buildForEmbedded(settings: Settings, io: Io): Promise<void> {
  await buildSite(settings);
  const { dataDir } = settings;
  const build = findPublication(DIST)?.build ?? '';
  const lines = {
    served: 'The running product serves it, and takes offers for its domains.',
    starting: `Another process holds the data folder ${dataDir}. If it is the product, it serves this build once it has started.`,
    late: 'The running product does not report it yet: see its log and GET /health. It keeps trying.',
    stopped: undefined,
  };
  const line = lines[await waitUntilServed(dataDir, build)];
  if (line) consoleOf(io).log(line);
}

async function buildForHosted(
  settings: Settings,
  supabase: NonNullable<Settings['supabase']>,
  io: Io,
): Promise<void> {
  const { log, warn } = consoleOf(io);
  const { url, secretKey } = supabase;
  await buildSite(settings, { publish: secretKey ? publisherOf(openHosted(supabase)) : undefined });
  const problem = await findBotCheckProblem(settings);
  if (problem !== undefined) warn(problem);
  log(
    secretKey
      ? `Published the catalogue to ${url}.`
      : `The catalogue is not published to ${url}: new names take no offers there, and removed ones still do. ` +
          'Set SUPABASE_SECRET_KEY in .env and run npm run build again.',
  );
}

if (import.meta.main) await runAsProcess(run);
