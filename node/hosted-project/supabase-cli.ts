/** The Supabase CLI: no dependency of this project, because it has 142 MB; installed when a command needs it. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UserError } from '../config/user-error.ts';

/** The version that npm run test:hosted tries. */
const CLI_VERSION = '3.1.0';

/** Removed by `npm ci`, like everything in node_modules. */
const FOLDER = resolve('node_modules/.cache/supabase-cli', CLI_VERSION);
export const PROGRAM = join(FOLDER, 'node_modules/supabase/dist/supabase.js');

/** Installs the CLI unless it is there. @throws UserError where npm cannot */
export async function installCli(): Promise<void> {
  if (existsSync(PROGRAM)) return;
  console.log(`Installing the Supabase CLI ${CLI_VERSION} (142 MB) …`);
  mkdirSync(FOLDER, { recursive: true });
  const options = [
    '--no-save',
    '--no-package-lock',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--silent',
  ];
  const code = await run('npm', ['install', '--prefix', FOLDER, ...options, `supabase@${CLI_VERSION}`]);
  if (code === 0 && existsSync(PROGRAM)) return;
  throw new UserError(
    `The Supabase CLI ${CLI_VERSION} could not be installed with npm. Check the network, then run this again.`,
  );
}

/**
 * Runs the CLI with its output on the terminal. Its account is that of SUPABASE_ACCESS_TOKEN or of `supabase login`.
 * @returns the exit code
 */
export async function runCli(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  return await run(process.execPath, [PROGRAM, ...args], env);
}

/** Runs the CLI. Returns what it printed on the standard output. @throws UserError where it fails */
export async function readFromCli(args: readonly string[]): Promise<string> {
  let output = '';
  const code = await run(process.execPath, [PROGRAM, ...args], process.env, (text) => {
    output += text;
  });
  if (code === 0) return output;
  throw new UserError(`supabase ${args[0]} ${args[1] ?? ''} failed (see above).`);
}

function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  onOutput?: (text: string) => void,
): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, {
      // No terminal: it would ask. What it may do is in its options.
      stdio: ['ignore', onOutput ? 'pipe' : 'inherit', 'inherit'],
      env: { ...env, SUPABASE_TELEMETRY_DISABLED: '1', SUPABASE_NO_UPDATE_NOTIFIER: '1', DO_NOT_TRACK: '1' },
    });
    child.stdout?.setEncoding('utf8').on('data', onOutput ?? (() => {}));
    child.once('error', fail).once('exit', (code) => done(code ?? 1));
  });
}
