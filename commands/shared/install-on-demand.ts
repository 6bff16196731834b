/** Installs a package of npm that one command needs, and that is too large to be a dependency of everybody. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UserError } from '../../process/user-error.ts';

/** Removed by `npm ci`, like everything in node_modules. */
const CACHE = resolve('node_modules/.cache');
const INSTALL_OPTIONS = [
  '--no-save',
  '--no-package-lock',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--silent',
];

export interface PackageOnDemand {
  /** As messages name it. */
  readonly title: string;
  readonly name: string;
  /** Exact. */
  readonly version: string;
  readonly megabytes: number;
  /** Path of its program in the package. */
  readonly program: string;
}

/** The folder of the installed packages, where the program is once it is installed. */
export function packagesOf({ name, version }: PackageOnDemand): string {
  return join(CACHE, name, version, 'node_modules');
}

export function programOf(wanted: PackageOnDemand): string {
  return join(packagesOf(wanted), wanted.name, wanted.program);
}

/**
 * Installs it unless it is there. It gets its place when it is whole, so that an install that was stopped is repeated.
 * @throws UserError where npm cannot
 */
export async function installOnDemand(wanted: PackageOnDemand): Promise<void> {
  const { title, name, version, megabytes } = wanted;
  if (existsSync(programOf(wanted))) return;
  console.log(`Installing ${title} ${version} (${megabytes} MB) …`);
  const folder = dirname(packagesOf(wanted));
  mkdirSync(dirname(folder), { recursive: true });
  const next = mkdtempSync(`${folder}-`);
  // No terminal: npm would ask. Without npm, such as where Node was installed without it, `once` rejects.
  const npm = spawn('npm', ['install', '--prefix', next, ...INSTALL_OPTIONS, `${name}@${version}`], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(npm, 'exit').catch(() => []);
  if (code === 0) {
    rmSync(folder, { recursive: true, force: true });
    renameSync(next, folder);
    if (existsSync(programOf(wanted))) return;
  }
  rmSync(next, { recursive: true, force: true });
  throw new UserError(
    `${title} ${version} could not be installed with npm. Check the network, and that npm is there; then run this again.`,
  );
}
