/** The Supabase CLI: no dependency of the product, because it has 142 MB; installed when a command needs it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { installOnDemand, type PackageOnDemand, programOf } from '../shared/install-on-demand.ts';
import type { CliStep } from './deploy-steps.ts';
import { withSecretFile } from './secret-file.ts';

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

const QUIET = { SUPABASE_TELEMETRY_DISABLED: '1', SUPABASE_NO_UPDATE_NOTIFIER: '1', DO_NOT_TRACK: '1' };

/** Installs the CLI unless it is there. @throws UserError where npm cannot */
export async function installCli(): Promise<void> {
  await installOnDemand(CLI);
}

/**
 * Runs a step with its output on the terminal, or returns the output. The CLI's account is that of SUPABASE_ACCESS_TOKEN or
 * of `supabase login`. It waits without end for a platform that does not respond, and is stopped then.
 */
export async function runCli(
  { args, file }: Pick<CliStep, 'args' | 'file'>,
  env: NodeJS.ProcessEnv,
  stdout: 'inherit' | 'pipe' = 'inherit',
  timeout = STEP_TIMEOUT_MS,
): Promise<{ code: number; output: string }> {
  return await withSecretFile(file, async () => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      // Without a terminal, so that it cannot ask: what it may do is in its options.
      stdio: ['ignore', stdout, 'inherit'],
      env: { ...env, ...QUIET },
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
  });
}
