/** Wrangler, Cloudflare's command: no dependency of the product, because it has 228 MB; installed when it is needed. */
import { spawn } from 'node:child_process';
import { installOnDemand, type PackageOnDemand, packagesOf, programOf } from '../shared/install-on-demand.ts';

const WRANGLER: PackageOnDemand = {
  title: 'Wrangler',
  name: 'wrangler',
  /** The version that npm run test:worker tries. */
  version: '4.164.0',
  megabytes: 228,
  program: 'bin/wrangler.js',
};

/** Installs it unless it is there. Returns the folder of its packages. @throws UserError where npm cannot */
export async function installWrangler(): Promise<string> {
  await installOnDemand(WRANGLER);
  return packagesOf(WRANGLER);
}

/** Runs it on the terminal, with the account of `wrangler login` or CLOUDFLARE_API_TOKEN. Returns the exit code. */
export async function runWrangler(args: readonly string[], given: NodeJS.ProcessEnv): Promise<number> {
  await installWrangler();
  const env = { ...given, WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true' };
  return await new Promise((done, fail) => {
    const child = spawn(process.execPath, [programOf(WRANGLER), ...args], { stdio: 'inherit', env });
    child.once('error', fail).once('exit', (code) => done(code ?? 1));
  });
}
