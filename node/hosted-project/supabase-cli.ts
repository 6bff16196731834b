/** The Supabase CLI: no dependency of this project, because it has 142 MB; installed when a command needs it. */
import { spawn } from 'node:child_process';
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
  if (file === undefined) return await run(args, { timeoutMs });
  return await withUnlinkedFile(file.content, (descriptor) =>
    run([...args, file.option, UNLINKED_PATH], { descriptor, timeoutMs }),
  );
}

/** Runs the CLI. Returns the JSON that it printed on the standard output. @throws UserError where it fails */
export async function readFromCli(args: readonly string[]): Promise<unknown> {
  let output = '';
  const onOutput = (text: string) => {
    output += text;
  };
  const code = await run(args, { onOutput });
  const command = `supabase ${args[0]} ${args[1] ?? ''}`;
  if (code !== 0) throw new UserError(`${command} failed (see above). Run npm run deploy:backend again.`);
  try {
    return JSON.parse(output);
  } catch {
    throw new UserError(`${command} printed no JSON. Run npm run deploy:backend again.`);
  }
}

function run(
  args: readonly string[],
  {
    descriptor,
    onOutput,
    timeoutMs = STEP_TIMEOUT_MS,
  }: { descriptor?: number; onOutput?: (text: string) => void; timeoutMs?: number } = {},
): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      // No terminal: it would ask. What it may do is in its options.
      stdio: [descriptor ?? 'ignore', onOutput ? 'pipe' : 'inherit', 'inherit'],
      env: {
        ...process.env,
        SUPABASE_TELEMETRY_DISABLED: '1',
        SUPABASE_NO_UPDATE_NOTIFIER: '1',
        DO_NOT_TRACK: '1',
      },
    });
    child.stdout?.setEncoding('utf8').on('data', onOutput ?? (() => {}));
    const timer = setTimeout(() => {
      console.error(`The Supabase CLI did not end within ${timeoutMs / 60_000} minutes, and was stopped.`);
      child.kill();
    }, timeoutMs);
    child.once('error', fail).once('exit', (code) => {
      clearTimeout(timer);
      done(code ?? 1);
    });
  });
}
