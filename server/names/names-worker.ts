/** The thread that reads and changes the catalogue, as the server uses it. */
import { Worker } from 'node:worker_threads';
import { NamesRejected } from './name-rejection.ts';
import type { FromThread, NamesTask, ToThread } from './thread-messages.ts';

/**
 * How long the thread stays without a task, with the catalogue that it has parsed: with 10,000 names a change is stored some
 * seconds later without it.
 */
const IDLE_MS = 10 * 60_000;
/** Tasks that run or wait. */
const MAX_TASKS = 16;

/** A call of the database. @throws NamesRejected */
export type Call = (name: string, args: unknown) => Promise<unknown>;

export type NamesWorker = ReturnType<typeof createNamesWorker>;

export function createNamesWorker(adminHost: string | undefined, idleMs = IDLE_MS) {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let tasks = 0;
  let isStopped = false;
  let last: Promise<unknown> = Promise.resolve();

  const end = async () => {
    clearTimeout(idle);
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  };
  return {
    /**
     * Performs a task once those before have ended.
     * @param call made for the task
     * @throws NamesRejected
     */
    perform(task: NamesTask, call: Call): Promise<unknown> {
      if (isStopped) return Promise.reject(new NamesRejected('unavailable'));
      if (tasks >= MAX_TASKS) return Promise.reject(new NamesRejected('busy'));
      tasks += 1;
      clearTimeout(idle);
      const result = last.then(async () => {
        worker ??= start();
        return await performIn(worker, { kind: 'task', task, adminHost }, call);
      });
      last = result
        .catch(() => undefined)
        .finally(() => {
          tasks -= 1;
          if (tasks === 0) idle = setTimeout(end, idleMs).unref();
        });
      return result;
    },
    /** Ends the thread once its tasks have ended. */
    async stop(): Promise<void> {
      isStopped = true;
      await last;
      await end();
    },
  };

  function start(): Worker {
    const started = new Worker(new URL('./names-thread.ts', import.meta.url));
    // Such as one without memory: the next task has a new one.
    started
      .on('error', () => {})
      .once('exit', () => {
        if (worker === started) worker = undefined;
      });
    started.unref();
    return started;
  }
}

function performIn(worker: Worker, task: ToThread, call: Call): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit).unref();
      act();
    };
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = () => settle(() => reject(new Error('The thread of the catalogue has ended.')));
    const onMessage = (message: FromThread) => {
      if (message.kind === 'done') settle(() => resolve(message.result));
      else if (message.kind === 'rejected')
        settle(() => reject(new NamesRejected(message.code, message.details)));
      else if (message.kind === 'failed') settle(() => reject(new Error(message.reason)));
      else {
        call(message.name, message.args).then(
          (result) => worker.postMessage({ kind: 'returned', result }),
          (error) =>
            worker.postMessage({
              kind: 'returned',
              rejected: error instanceof NamesRejected ? error.code : 'unavailable',
            }),
        );
      }
    };
    worker.on('message', onMessage).once('error', onError).once('exit', onExit).ref();
    worker.postMessage(task);
  });
}
