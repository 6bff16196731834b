/** The Supabase CLI: no dependency of this project, because it has 142 MB; installed when a command needs it. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UserError } from '../config/user-error.ts';
import type { CliStep } from './deploy-steps.ts';
import { UNLINKED_PATH, withUnlinkedFile } from './unlinked-file.ts';

/** The version that npm run test:hosted tries. */
const CLI_VERSION = '3.1.0';

/** Removed by `npm ci`, like everything in node_modules. */
const FOLDER = resolve('node_modules/.cache/supabase-cli', CLI_VERSION);
export const PROGRAM = join(FOLDER, 'node_modules/supabase/dist/supabase.js');

/**
 * Installs the CLI unless it is there. It gets its place when it is whole, so that an install that was stopped is repeated.
 * @throws UserError where npm cannot
 */
export async function installCli(): Promise<void> {
  if (existsSync(PROGRAM)) return;
  console.log(`Installing the Supabase CLI ${CLI_VERSION} (142 MB) …`);
  mkdirSync(dirname(FOLDER), { recursive: true });
  const next = mkdtempSync(`${FOLDER}-`);
  const options = [
    '--no-save',
    '--no-package-lock',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--silent',
  ];
  const code = await run('npm', ['install', '--prefix', next, ...options, `supabase@${CLI_VERSION}`]);
  if (code === 0) {
    rmSync(FOLDER, { recursive: true, force: true });
    renameSync(next, FOLDER);
    if (existsSync(PROGRAM)) return;
  }
  rmSync(next, { recursive: true, force: true });
  throw new UserError(
    `The Supabase CLI ${CLI_VERSION} could not be installed with npm. Check the network, then run this again.`,
  );
}

/**
 * Runs a step with its output on the terminal. The CLI's account is that of SUPABASE_ACCESS_TOKEN or of `supabase login`.
 * @returns the exit code
 */
export async function runCli({ args, file }: Pick<CliStep, 'args' | 'file'>): Promise<number> {
  if (file === undefined) return await run(process.execPath, [PROGRAM, ...args]);
  return await withUnlinkedFile(file.content, (descriptor) =>
    run(process.execPath, [PROGRAM, ...args, file.option, UNLINKED_PATH], { descriptor }),
  );
}

/** Runs the CLI. Returns what it printed on the standard output. @throws UserError where it fails */
export async function readFromCli(args: readonly string[]): Promise<string> {
  let output = '';
  const onOutput = (text: string) => {
    output += text;
  };
  const code = await run(process.execPath, [PROGRAM, ...args], { onOutput });
  if (code === 0) return output;
  throw new UserError(`supabase ${args[0]} ${args[1] ?? ''} failed (see above).`);
}

function run(
  program: string,
  args: readonly string[],
  { descriptor, onOutput }: { descriptor?: number; onOutput?: (text: string) => void } = {},
): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, {
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
    child.once('error', fail).once('exit', (code) => done(code ?? 1));
  });
}
