import type { Challenge, Proof } from '#contract/bot-check.ts';

/** Solves a challenge in a worker, so that typing stays smooth. Returns the token: all of its JSON is ASCII. */
export async function solve(challenge: Challenge, signal: AbortSignal): Promise<string> {
  const worker = new Worker(new URL('./proof-of-work-worker.ts', import.meta.url), { type: 'module' });
  try {
    const solution = await new Promise<Proof['solution']>((resolve, reject) => {
      const abort = () => reject(signal.reason);
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      // Without a message the script could not be loaded.
      worker.onerror = ({ message }) =>
        reject(message ? new TypeError(message) : new Error('The proof-of-work worker could not be loaded.'));
      worker.onmessage = ({ data }: MessageEvent<Proof['solution'] | Error>) =>
        data instanceof Error ? reject(data) : resolve(data);
      worker.postMessage(challenge);
    });
    return btoa(JSON.stringify({ challenge, solution } satisfies Proof));
  } finally {
    worker.terminate();
  }
}
