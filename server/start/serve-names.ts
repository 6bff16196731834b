/** Lets the dashboard read and change the catalogue, and builds the pages after each change. */
import { EMBEDDED_PUBLISHABLE_KEY, type Settings } from '../../config/settings.ts';
import { isFresh } from '../../site-builder/build-hash.ts';
import type { BuildFollower } from '../catalogue-publication/follow-builds.ts';
import type { Backend } from '../embedded/backend.ts';
import { type Builds, createBuilds } from '../names/builds.ts';
import { freeMemory, memoryOfBuild } from '../names/free-memory.ts';
import { createHandleNames, type HandleNames } from '../names/handle-request.ts';
import { type Call, createNamesWorker, type NamesWorker } from '../names/names-worker.ts';
import { runBuild } from '../names/run-build.ts';
import { buildCommand } from '../names/server-command.ts';
import type { StaticPages } from '../pages/static-pages.ts';
import { noteGoodBuild, reportServedBuild } from './build-at-start.ts';

/** @param countNames of the catalogue that is served */
export function buildsOf(
  settings: Settings,
  follower: BuildFollower,
  countNames: () => number,
  signal: AbortSignal,
  console: Console,
): Builds {
  const stopping = new AbortController();
  const builds = createBuilds({
    build: async () => {
      const problem = await runBuild(settings, AbortSignal.any([signal, stopping.signal]), console);
      if (problem === undefined) noteGoodBuild();
      return problem;
    },
    isUpToDate: () => isFresh(settings),
    hasMemory: () => memoryOfBuild(countNames()) <= freeMemory(),
    serve: follower.check,
    confirm: async (readAt) => {
      await follower.confirm(readAt);
      noteGoodBuild();
    },
    servedReadAt: follower.readAt,
    serveProblem: follower.problem,
    command: buildCommand(process.cwd()),
    onProblem: (problem) => reportServedBuild(problem, console),
  });
  const stop = () => {
    builds.stop();
    stopping.abort();
  };
  return { ...builds, stop };
}

export interface Names {
  readonly worker: NamesWorker;
  /** Batches that were stored before this start, and written by it. */
  readonly written: readonly string[];
  readonly callAsService: Call;
}

/** Carries out changes that an earlier run stored and did not write. Called before the catalogue is published. */
export async function openNames(backend: Backend, settings: Settings, console: Console): Promise<Names> {
  const worker = createNamesWorker(settings.adminHost);
  const callAsService: Call = (name, args) => backend.project.call(name as never, args as never);
  let written: string[] = [];
  try {
    const open = await backend.project.call('read_open_name_changes', {});
    if (open.length > 0) written = (await worker.perform({ action: 'carry_out' }, callAsService)) as string[];
  } catch (error) {
    console.error(
      `Changes of the catalogue in the dashboard are not written yet: ${error instanceof Error ? error.message : error}\n` +
        'The next start, or the next change there, writes them.',
    );
  }
  return { worker, written, callAsService };
}

export function handleNamesOf(
  backend: Backend,
  { worker, written, callAsService }: Names,
  builds: Builds,
  { siteHosts }: Pick<StaticPages, 'siteHosts'>,
  console: Console,
): HandleNames {
  for (const batch of written) builds.request(batch);
  return createHandleNames({
    send: backend.send,
    callAsService,
    publishableKey: EMBEDDED_PUBLISHABLE_KEY,
    secretKey: backend.secretKey,
    worker,
    builds,
    siteHosts,
    onError: (problem) => console.error(`Catalogue: ${problem}`),
  });
}
