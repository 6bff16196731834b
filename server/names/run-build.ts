/** Builds in a process of its own, with lower priority than the product. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import type { Settings } from '../../config/settings.ts';

const SCRIPT = join(import.meta.dirname, '../../site-builder/build-process.ts');
/** Most of a build's error, in characters: the end of a long one. */
const MAX_PROBLEM = 2_000;
const ENDED =
  'The system ended the build, perhaps because there was no memory left. The last build is still served.';

/** @returns the build's error; undefined if it went well */
export async function runBuild(
  { dataDir, adminHost, turnstile, supabase }: Settings,
  signal: AbortSignal,
  console: Console,
): Promise<string | undefined> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', SCRIPT], {
    // The child exits at the end of its input, when this process has ended.
    stdio: ['pipe', 'pipe', 'pipe'],
    signal,
  });
  child.stdin.on('error', () => {});
  // Without secrets.
  const settings = {
    dataDir,
    adminHost,
    turnstile: turnstile && { siteKey: turnstile.siteKey },
    supabase: supabase && { url: supabase.url, publishableKey: supabase.publishableKey },
  };
  child.stdin.write(`${JSON.stringify(settings)}\n`);
  createInterface({ input: child.stdout }).on('line', (line) => console.log(line));
  const [errors, code] = await Promise.all([
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve).once('error', () => resolve(1))),
  ]);
  const problem = stripVTControlCharacters(errors).trim();
  if (code === 0) {
    if (problem !== '') console.warn(problem);
    return undefined;
  }
  return [problem.slice(-MAX_PROBLEM), ...(code === null ? [ENDED] : [])].filter(Boolean).join('\n') || ENDED;
}
