/**
 * The thread of the embedded project, started by start-project.ts: opens the project and its socket for commands, and
 * responds to requests by message. A process of its own would need keys and a port to talk to; a thread can be ended just
 * as well when the database hangs.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { UserError } from '../../process/user-error.ts';
import { deliverProblem } from '../../supabase/functions/_shared/call-deliver.ts';
import { openCommandSocket } from './command-socket.ts';
import { lineOf } from './log.ts';
import { runMessageScheduler } from './message-scheduler.ts';
import { openProject } from './open-project.ts';
import { PROJECT_URL } from './project-options.ts';
import { reasonOf } from './project-routes.ts';
import type { FromThread, ThreadData, ToThread } from './thread-messages.ts';
import { cleanRegularly } from './vacuum.ts';

if (!parentPort) throw new Error('project-thread.ts runs in a worker thread.');
const parent = parentPort;
/** Number of calls at work at the moment that may take long. */
let busy = 0;
/** Time between two messages that a call of the database had a result, in milliseconds; fewer than the watchdog's. */
const RESULT_INTERVAL_MS = 1_000;
let lastResult = 0;

try {
  await run(workerData as ThreadData);
} catch (error) {
  send({ type: 'failed', message: error instanceof UserError ? error.message : reasonOf(error) });
  process.exit(1);
}

async function run({ dataDir, settings }: ThreadData): Promise<void> {
  const project = await openProject({
    dataDir,
    settings,
    // By message: what a thread writes to its standard error just before its end may be lost.
    print,
    onFailure: (event, details) => {
      print(lineOf('error', event, details));
      process.exit(1);
    },
    onResult,
    duringMaintenance,
  });
  // Offers need no commands: not every file system, such as a folder shared with a virtual machine, can hold a socket.
  const commands = await openCommandSocket(project.fetch, dataDir).catch((error: NodeJS.ErrnoException) => {
    print(lineOf('warn', 'commands_unreachable', { reason: error.code ?? error.message }));
  });
  const endCleaning = cleanRegularly(project.database.sql);
  const stopping = new AbortController();
  parent.on('message', (message: ToThread) => {
    if (message === 'stop') void stop();
    else void respond(message);
  });
  send({ type: 'ready', keys: project.keys });
  void runMessageScheduler({
    signal: stopping.signal,
    configured: project.hasMessages,
    deliver: project.deliver,
    onFailure: (error) => print(lineOf('error', 'deliver_failed', { reason: deliverProblem(error) })),
  });

  async function respond({ id, method, path, headers, body }: Exclude<ToThread, 'stop'>): Promise<void> {
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const request = { method, headers, ...(hasBody && { body }) };
    // An error that is thrown here would end the thread.
    const response = await project.fetch(PROJECT_URL + path, request).catch((error: Error) => {
      print(lineOf('error', 'request_failed', { reason: error.name }));
      return new Response(null, { status: 500 });
    });
    const received = new Uint8Array(await response.arrayBuffer());
    const message = {
      type: 'response' as const,
      id,
      status: response.status,
      headers: [...response.headers],
    };
    parent.postMessage({ ...message, body: received } satisfies FromThread, [received.buffer]);
  }

  async function stop(): Promise<void> {
    stopping.abort();
    try {
      // A command that does not read its response must not keep the database from being closed in time.
      const closed = commands?.close();
      await endCleaning();
      await project.close();
      await closed;
    } finally {
      process.exit(0);
    }
  }
}

function onResult(): void {
  if (performance.now() - lastResult < RESULT_INTERVAL_MS) return;
  lastResult = performance.now();
  send({ type: 'right' });
}

/** Keeps the watchdog from taking long work on the files for a fault. */
async function duringMaintenance<Result>(work: () => Promise<Result>): Promise<Result> {
  busy += 1;
  send({ type: 'work', isBusy: true });
  try {
    return await work();
  } finally {
    busy -= 1;
    send({ type: 'work', isBusy: busy > 0 });
  }
}

function print(line: string): void {
  send({ type: 'line', line });
}

function send(message: FromThread): void {
  parent.postMessage(message);
}
