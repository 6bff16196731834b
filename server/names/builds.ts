/**
 * Builds the pages after changes of the catalogue, one build at a time: changes meanwhile share the next one. Nothing here ends
 * the product: a build that fails, or for which there is no memory, leaves the last one served.
 */
import type { Build } from '#contract/names.ts';

/** Most builds in `WINDOW_MS`. */
const MAX_BUILDS = 30;
const WINDOW_MS = 10 * 60_000;
/** How often a build without memory is tried again. */
const MEMORY_INTERVAL_MS = 30_000;
/** How long a batch is reported as live. */
const LIVE_MS = 10 * 60_000;

export interface BuildsOptions {
  /** Builds, and resolves with its error; undefined if it went well. */
  build(): Promise<string | undefined>;
  /** Whether the live build is what a build would make now. */
  isUpToDate(): boolean;
  hasMemory(): boolean;
  /** Serves the latest build, if it is not served yet. */
  serve(): Promise<void>;
  /** Publishes the served build again, as read now. */
  confirm(readAt: Date): Promise<void>;
  /** When the catalogue of the served pages was read, in ms since 1970; undefined if that is not known. */
  servedReadAt(): number | undefined;
  /** Why the latest build is not served. */
  serveProblem(): string | undefined;
  /** Builds by hand. */
  readonly command: string;
  onProblem(problem: string): void;
}

export type Builds = ReturnType<typeof createBuilds>;

export function createBuilds(options: BuildsOptions) {
  let status: Build['status'] = 'idle';
  let problem: string | undefined;
  let isRunning = false;
  let isWanted = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let lastMs: number | undefined;
  let starts: number[] = [];
  /** When each batch was saved, or went live. */
  const [pending, live] = [new Map<string, number>(), new Map<string, number>()];

  function wait(state: 'waiting' | 'no_memory' | 'too_many', ms: number): void {
    status = state;
    timer = setTimeout(() => {
      timer = undefined;
      begin().catch((error) => fail(error instanceof Error ? error.message : String(error)));
    }, ms);
    timer.unref();
  }

  function fail(text: string): void {
    status = 'failed';
    problem = text;
    options.onProblem(text);
  }

  async function begin(): Promise<void> {
    const now = Date.now();
    if (isUpToDate()) {
      isWanted = false;
      status = 'idle';
      return await options.confirm(new Date(now));
    }
    starts = starts.filter((at) => now - at < WINDOW_MS);
    const [oldest = now] = starts;
    if (starts.length >= MAX_BUILDS) return wait('too_many', oldest + WINDOW_MS - now);
    if (!options.hasMemory()) return wait('no_memory', MEMORY_INTERVAL_MS);
    starts.push(now);
    isWanted = false;
    isRunning = true;
    status = 'building';
    const started = performance.now();
    let failure = await options.build().catch((error) => String(error));
    if (failure === undefined) {
      lastMs = performance.now() - started;
      await options.serve();
      failure = options.serveProblem();
    }
    isRunning = false;
    if (isStopped) return;
    status = 'idle';
    if (failure !== undefined) fail(failure);
    if (isWanted) wait('waiting', 0);
  }

  /** A build reports what cannot be read. */
  function isUpToDate(): boolean {
    try {
      return options.isUpToDate();
    } catch {
      return false;
    }
  }

  function noteLive(): void {
    const now = Date.now();
    const readAt = options.servedReadAt() ?? 0;
    for (const [batch, savedAt] of pending) {
      if (readAt < savedAt) continue;
      pending.delete(batch);
      live.set(batch, now);
    }
    for (const [batch, at] of live) if (now - at > LIVE_MS) live.delete(batch);
  }

  return {
    /** Builds soon. @param batch that the pages are to show; undefined after an edit by hand */
    request(batch?: string): void {
      if (batch !== undefined) pending.set(batch, Date.now());
      isWanted = true;
      if (!isRunning && timer === undefined && !isStopped) wait('waiting', 0);
    },
    state(): Build {
      noteLive();
      // A build by hand may have come between.
      const isPast = pending.size === 0 && !isWanted && status === 'failed';
      return {
        status: isPast ? 'idle' : status,
        about_seconds: lastMs === undefined ? null : Math.max(1, Math.round(lastMs / 1_000)),
        changes: [...pending.keys()],
        live: [...live.keys()],
        ...(status === 'failed' && !isPast && problem !== undefined && { problem }),
        ...(['failed', 'no_memory'].includes(status) && !isPast && { command: options.command }),
      };
    },
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
