import { type Challenge, PROOF_WORK, type Proof } from '#contract/bot-check.ts';
import type { WorkerTask } from './proof-of-work-worker.ts';

/** Workers for a harder challenge, so that the hardest one takes a phone less than 10 s. */
const MAX_WORKERS = 4;

/** Solves a challenge in workers, so that typing stays smooth. Returns the token: all of its JSON is ASCII. */
export async function solve(challenge: Challenge, signal?: AbortSignal): Promise<string> {
  const isHard = challenge.parameters.cost > PROOF_WORK.cost;
  const count = isHard ? Math.min(MAX_WORKERS, navigator.hardwareConcurrency || 1) : 1;
  const workers: Worker[] = [];
  try {
    const solution = await new Promise<Proof['solution']>((resolve, reject) => {
      const abort = () => reject(signal?.reason);
      if (signal?.aborted) return abort();
      signal?.addEventListener('abort', abort, { once: true });
      for (let first = 0; first < count; first += 1) {
        const worker = new Worker(new URL('./proof-of-work-worker.ts', import.meta.url), { type: 'module' });
        workers.push(worker);
        worker.onerror = () => reject(new Error('The proof-of-work worker failed.'));
        worker.onmessage = ({ data }: MessageEvent<Proof['solution']>) => resolve(data);
        worker.postMessage({ challenge, counterStart: first, counterStep: count } satisfies WorkerTask);
      }
    });
    return btoa(JSON.stringify({ challenge, solution } satisfies Proof));
  } finally {
    for (const worker of workers) worker.terminate();
  }
}
