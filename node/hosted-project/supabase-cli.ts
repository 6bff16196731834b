/** The Supabase CLI: no dependency of this project, because it has 142 MB; installed when a command needs it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { installOnDemand, type PackageOnDemand, programOf } from '../config/install-on-demand.ts';
import { UserError } from '../config/user-error.ts';
import type { CliStep } from './deploy-steps.ts';
import { UNLINKED_PATH, withUnlinkedFile } from './unlinked-file.ts';

const CLI: PackageOnDemand = {
  title: 'The Supabase CLI',
  name: 'supabase',
  /** The version that npm run test:hosted tries. */
  version: '3.1.0',
  megabytes: 142,
  program: 'dist/supabase.js',
};

export const PROGRAM = programOf(CLI);

/** Longest time of one step, in milliseconds: the upload of the functions takes a minute on a slow line. */
const STEP_TIMEOUT_MS = 10 * 60_000;
/** How long the rest of the output is waited for after the CLI has exited. */
const OUTPUT_TIMEOUT_MS = 5_000;

/** Installs the CLI unless it is there. @throws UserError where npm cannot */
export async function installCli(): Promise<void> {
  await installOnDemand(CLI);
}

/**
 * Runs a step with its output on the terminal. The CLI's account is that of SUPABASE_ACCESS_TOKEN or of `supabase login`.
 * It waits without end for a platform that does not respond, and is stopped then.
 * @returns the exit code
 */
export async function runCli(
  { args, file }: Pick<CliStep, 'args' | 'file'>,
  timeoutMs = STEP_TIMEOUT_MS,
): Promise<number> {
  if (file === undefined) return (await run(args, timeoutMs)).code;
  return await withUnlinkedFile(file.content, async (descriptor) => {
    return (await run([...args, file.option, UNLINKED_PATH], timeoutMs, descriptor)).code;
  });
}

/** Runs the CLI. Returns the JSON that it printed on the standard output. @throws UserError where it fails */
export async function readFromCli(args: readonly string[]): Promise<unknown> {
  const { code, output } = await run(args, STEP_TIMEOUT_MS, 'ignore', 'pipe');
  const command = `supabase ${args[0]} ${args[1] ?? ''}`;
  if (code !== 0) throw new UserError(`${command} failed (see above). Run npm run deploy:backend again.`);
  try {
    return JSON.parse(output);
  } catch {
    throw new UserError(`${command} printed no JSON. Run npm run deploy:backend again.`);
  }
}

/** @param stdin without a terminal, so that it cannot ask: what it may do is in its options */
async function run(
  args: readonly string[],
  timeout: number,
  stdin: number | 'ignore' = 'ignore',
  stdout: 'inherit' | 'pipe' = 'inherit',
): Promise<{ code: number; output: string }> {
  const env = { SUPABASE_TELEMETRY_DISABLED: '1', SUPABASE_NO_UPDATE_NOTIFIER: '1', DO_NOT_TRACK: '1' };
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: [stdin, stdout, 'inherit'],
    env: { ...process.env, ...env },
    timeout,
  });
  const output = child.stdout ? text(child.stdout) : '';
  const [code] = await once(child, 'exit');
  if (child.killed) {
    console.error(`The Supabase CLI did not end within ${timeout / 60_000} minutes, and was stopped.`);
    return { code: 1, output: '' };
  }
  // The end of the output may arrive after the exit, or never, where a process that the CLI started goes on.
  return { code: code ?? 1, output: await Promise.race([output, setTimeout(OUTPUT_TIMEOUT_MS, '')]) };
}
