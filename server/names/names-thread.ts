/**
 * Worker thread that reads and changes the catalogue: 10,000 entries take seconds to parse and to write, and pages are served
 * meanwhile. It keeps what it has parsed. One task at a time; calls of the database go through the thread that started it.
 */
import { parentPort } from 'node:worker_threads';
import {
  addNames,
  type CallNames,
  carryOutOpenChanges,
  changeNames,
  initCatalogue,
  type NamesContext,
  planNames,
  readNames,
} from './change-names.ts';
import { NamesRejected } from './name-rejection.ts';
import type { FromThread, NamesTask, ToThread } from './thread-messages.ts';

let answer: ((message: Extract<ToThread, { kind: 'returned' }>) => void) | undefined;

const call: CallNames = async (name, args) => {
  const returned = new Promise<Extract<ToThread, { kind: 'returned' }>>((resolve) => {
    answer = resolve;
  });
  post({ kind: 'call', name, args });
  const { rejected, result } = await returned;
  if (rejected) throw new NamesRejected(rejected);
  return result as never;
};

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'returned') answer?.(message);
  else void work(message);
});

async function work({ task, adminHost }: Extract<ToThread, { kind: 'task' }>): Promise<void> {
  try {
    post({ kind: 'done', result: await perform(task, { io: process, call, adminHost }) });
  } catch (error) {
    if (error instanceof NamesRejected) post({ kind: 'rejected', code: error.code, details: error.details });
    else
      post({
        kind: 'failed',
        reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
  }
}

async function perform(task: NamesTask, context: NamesContext): Promise<unknown> {
  switch (task.action) {
    case 'read':
      return readNames(task, context);
    case 'plan':
      return planNames(task, context);
    case 'change':
      return await changeNames(task, context);
    case 'add':
      return await addNames(task, context);
    case 'init':
      return await initCatalogue(context);
    case 'carry_out':
      return await carryOutOpenChanges(context);
  }
}

function post(message: FromThread): void {
  parentPort?.postMessage(message);
}
