/** Builds the project with a large catalogue, once for all measurements. */
import { join, resolve } from 'node:path';
import { copyOfProject } from '../tests/support/product.ts';
import { makeCatalogue, writeYaml } from './catalogue.ts';
import { type Cost, costOf } from './cost.ts';

export interface LargeProject {
  /** A copy of the project; its dist/ is built. */
  readonly folder: string;
  readonly catalogue: string;
  /** Cost of the first build. */
  readonly cost: Cost;
}

let built: Promise<LargeProject & { remove(): void }> | undefined;

export function largeProject(domains: number): Promise<LargeProject> {
  built ??= create(domains);
  return built;
}

/** `npm run build` in the copy, once more. */
export function buildProject({
  folder,
  catalogue,
}: Pick<LargeProject, 'folder' | 'catalogue'>): Promise<Cost> {
  const command = [
    resolve('node_modules/.bin/node'),
    '--disable-warning=ExperimentalWarning',
    'commands/build.ts',
  ];
  return costOf(command, { cwd: folder, env: { CATALOGUE: catalogue } });
}

export async function removeLargeProject(): Promise<void> {
  (await built?.catch(() => undefined))?.remove();
}

async function create(domains: number) {
  const { folder, remove } = copyOfProject();
  const catalogue = join(folder, 'large.yaml');
  writeYaml(catalogue, makeCatalogue(domains));
  return { folder, catalogue, remove, cost: await buildProject({ folder, catalogue }) };
}
