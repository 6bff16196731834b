import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { SettingError } from '../../supabase/local/setting-error.ts';
import type { Order } from './paint.ts';

/** A process takes a quarter of a second to begin: worth it for so many pictures. */
const WORTH_ONE_MORE = 200;
/** Of about 200 MB each. */
const MOST = 3;

/**
 * Draws pictures on as many processors as are worth it.
 * @param onProgress is told how many more are done
 * @throws SettingError when one could not be made
 */
export async function paintAll(
  { look, pictures }: Order,
  onProgress: (done: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const count = Math.min(MOST, availableParallelism(), Math.ceil(pictures.length / WORTH_ONE_MORE));
  const shares = Array.from({ length: count }, (_, n) =>
    pictures.filter((_one, index) => index % count === n),
  );
  const ends = await Promise.all(
    shares.map((share) => paintSome({ look, pictures: share }, onProgress, signal)),
  );
  if (signal?.aborted) process.exit(0);
  if (ends.some((code) => code !== 0))
    throw new SettingError('The share images could not be made; the reason stands above.');
}

async function paintSome(
  order: Order,
  onProgress: (done: number) => void,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { PATH, HOME } = process.env;
  const painter = fork(join(import.meta.dirname, 'paint.ts'), {
    // Little room for what is soon thrown away: a third less memory, and no slower.
    execArgv: ['--max-semi-space-size=2', '--disable-warning=ExperimentalWarning'],
    env: { PATH, HOME, UV_THREADPOOL_SIZE: '1' },
    ...(signal ? { signal } : {}),
  });
  painter.on('message', (done: number) => onProgress(done));
  painter.send(order);
  return await new Promise((done) => painter.once('exit', done).once('error', () => done(1)));
}
