/** Wrangler, Cloudflare's command: no dependency of this project, because it has 228 MB; installed when it is needed. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UserError } from '../config/user-error.ts';

/** The version that npm run test:worker tries. */
const VERSION = '4.164.0';
const INSTALL_OPTIONS = [
  '--no-save',
  '--no-package-lock',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--silent',
];

/** Removed by `npm ci`, like everything in node_modules. */
const FOLDER = resolve('node_modules/.cache/wrangler', VERSION);
const PROGRAM = join(FOLDER, 'node_modules/wrangler/bin/wrangler.js');

/** Installs it unless it is there. Returns the folder of its packages. @throws UserError where npm cannot */
export async function installWrangler(): Promise<string> {
  const packages = join(FOLDER, 'node_modules');
  if (existsSync(PROGRAM)) return packages;
  console.log(`Installing Wrangler ${VERSION} (228 MB) …`);
  mkdirSync(FOLDER, { recursive: true });
  const code = await run('npm', ['install', '--prefix', FOLDER, ...INSTALL_OPTIONS, `wrangler@${VERSION}`]);
  if (code === 0 && existsSync(PROGRAM)) return packages;
  throw new UserError(
    `Wrangler ${VERSION} could not be installed with npm. Check the network and try again.`,
  );
}

/** Runs it on the terminal, with the account of `wrangler login` or CLOUDFLARE_API_TOKEN. Returns the exit code. */
export async function runWrangler(args: readonly string[]): Promise<number> {
  await installWrangler();
  return await run(process.execPath, [PROGRAM, ...args]);
}

function run(program: string, args: readonly string[]): Promise<number> {
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true' };
  return new Promise((done, fail) => {
    const child = spawn(program, args, { stdio: 'inherit', env });
    child.once('error', fail).once('exit', (code) => done(code ?? 1));
  });
}
