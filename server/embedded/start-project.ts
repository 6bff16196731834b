/**
 * Starts the embedded project in a thread of its own, so that its work holds up no page, and supervises it: a thread that
 * ends, or gives no right response for too long, is started again. What is in flight then fails; an offer that is sent
 * again is stored once.
 */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { UserError } from '../../process/user-error.ts';
import type { BackendRequest, BackendResponse } from '../backend-requests/backend-request.ts';
import type { DatabaseKeys } from './open-database.ts';
import { PROJECT_URL } from './project-options.ts';
import type { FromThread, ThreadData, ToThread } from './thread-messages.ts';
import { untilAborted } from './until-aborted.ts';
import { createWatchdog, WATCHDOG_TIMES } from './watchdog.ts';

/** Delay before the next start; doubled after each failed one, up to the maximum. */
const RESTART_DELAY_MS = 100;
const MAX_RESTART_DELAY_MS = 5_000;
/** Time for an orderly end. */
const STOP_TIMEOUT_MS = 1_000;

/** Limits the thread's JavaScript heap; PostgreSQL's memory and bodies lie outside of it. */
const MAX_HEAP_MB = 1_024;

/** Time for a start, except the first, in milliseconds. */
const START_LIMIT_MS = 120_000;

export interface StartOptions extends ThreadData {
  /** Receives each line of the thread's log. */
  onLog(line: string): void;
  /** Replaced by tests. */
  readonly program?: string;
  readonly maxHeapMb?: number;
  readonly times?: Partial<typeof WATCHDOG_TIMES & { startLimit: number }>;
}

/** The thread ended before its response, or is not up. */
export class ThreadDown extends Error {
  override name = 'ThreadDown';
}

/** Resolves when requests are served. @throws UserError with the thread's own message when it does not start */
export async function startProject({
  onLog,
  program = PROGRAM,
  maxHeapMb = MAX_HEAP_MB,
  times,
  ...data
}: StartOptions) {
  const { startLimit, ...watchdogTimes } = { ...WATCHDOG_TIMES, startLimit: START_LIMIT_MS, ...times };
  const ready = Promise.withResolvers<DatabaseKeys>();
  let worker: Worker;
  let isUp = false;
  let everUp = false;
  let isBusy = false;
  let stopping = false;
  let delay = RESTART_DELAY_MS;
  /** Why the last start failed. */
  let failure: string | undefined;
  let keys: DatabaseKeys;
  let lastId = 0;
  const inFlight = new Map<number, PromiseWithResolvers<BackendResponse>>();

  const log = (event: string, details: Record<string, unknown>) =>
    onLog(
      JSON.stringify({ time: new Date().toISOString(), level: 'warn', source: 'backend', event, ...details }),
    );

  const watchdog = createWatchdog({
    probe: async (timeoutMs) => {
      // Lets the thread check its results: it ends where one is wrong.
      const headers = { apikey: keys.secretKey };
      const check = { method: 'GET', path: '/control/check', headers, body: new Uint8Array() };
      const { status } = await Promise.race([send(check), rejectAfter(timeoutMs)]);
      if (status !== 204) throw new Error(`it responded with ${status}`);
    },
    isBusy: () => isBusy,
    onHanging: (reason, ms) => {
      log('terminated', { reason, not_right_for_ms: ms });
      void worker.terminate();
    },
    times: watchdogTimes,
  });

  function launch(): void {
    const thread = new Worker(program, {
      workerData: data satisfies ThreadData,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    worker = thread;
    isBusy = false;
    let error: Error | undefined;
    for (const stream of [thread.stdout, thread.stderr]) createInterface({ input: stream }).on('line', onLog);
    const startTimer = everUp ? setTimeout(() => void thread.terminate(), startLimit).unref() : undefined;
    thread.on('message', (message: FromThread) => {
      switch (message.type) {
        case 'response':
          inFlight.get(message.id)?.resolve(message);
          inFlight.delete(message.id);
          return;
        case 'line':
          return onLog(message.line);
        case 'work':
          isBusy = message.isBusy;
          return;
        case 'right':
          return watchdog.noteRight();
        case 'failed':
          failure = message.message;
          if (everUp) log('failed', { reason: failure });
          return ready.reject(new UserError(failure));
        case 'ready':
          clearTimeout(startTimer);
          failure = undefined;
          isUp = everUp = true;
          delay = RESTART_DELAY_MS;
          keys = message.keys;
          watchdog.begin();
          return ready.resolve(keys);
      }
    });
    thread.on('error', (thrown) => {
      error = thrown as Error;
    });
    thread.once('exit', (code) => {
      isUp = false;
      clearTimeout(startTimer);
      watchdog.end();
      for (const waiting of inFlight.values()) waiting.reject(new ThreadDown());
      inFlight.clear();
      ready.reject(new UserError(`The backend ended before it was ready (${error?.message ?? code}).`));
      if (stopping || !everUp) return;
      // The message of an uncaught error may hold personal data.
      log('ended', { code, ...(error && { reason: codeOf(error) }), next_start_in_ms: delay });
      setTimeout(() => stopping || launch(), delay);
      delay = Math.min(delay * 2, MAX_RESTART_DELAY_MS);
    });
  }

  /** @throws ThreadDown when the thread ends before its response */
  async function send(request: BackendRequest): Promise<BackendResponse> {
    if (!isUp) throw new ThreadDown();
    const response = Promise.withResolvers<BackendResponse>();
    lastId += 1;
    inFlight.set(lastId, response);
    // Only these bytes: a small buffer is part of a larger one.
    const body = new Uint8Array(request.body);
    worker.postMessage({ ...request, id: lastId, body } satisfies ToThread, [body.buffer]);
    return await response.promise;
  }

  launch();
  const opened = await ready.promise;
  return {
    keys: opened,
    isUp: () => isUp,
    send,
    /** As a client of a hosted project reaches it. */
    fetch: fetchBy(send),
    /** True, or a message why the project does not work. */
    health: async (): Promise<true | string> => {
      if (failure !== undefined) return failure;
      if (!isUp) return 'The backend is starting.';
      const reason = await watchdog.findProblem();
      return reason === undefined || `The backend does not work (${reason}).`;
    },
    /** Ends the thread at once; it is started again. */
    terminate: () => worker.terminate(),
    /** Stops it for good; ends it when it has not ended in time. */
    stop: async () => {
      stopping = true;
      if (!isUp) return void (await worker.terminate());
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      worker.postMessage('stop' satisfies ToThread);
      const timer = setTimeout(() => worker.terminate(), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

const PROGRAM = join(import.meta.dirname, 'project-thread.ts');

function fetchBy(send: (request: BackendRequest) => Promise<BackendResponse>): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { method, url, headers, signal } = request;
    const path = url.slice(PROJECT_URL.length);
    const body = await request.bytes();
    const sent = { method, path, headers: Object.fromEntries(headers), body };
    const response = await untilAborted(signal, () => send(sent));
    return new Response(response.status === 204 ? null : response.body, {
      status: response.status,
      headers: response.headers as [string, string][],
    });
  };
}

async function rejectAfter(milliseconds: number): Promise<never> {
  await pause(milliseconds, undefined, { ref: false });
  throw new Error('no response in time');
}

/** Without the message of the error. */
function codeOf(error: Error): string {
  return (error as NodeJS.ErrnoException).code ?? error.name;
}
