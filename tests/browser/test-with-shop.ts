import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { sourceFiles } from '../../site-builder/build-hash.ts';
import { BASE_ENV } from '../support/base-environment.ts';
import { copyOfProject, type Product, startProductProcess } from '../support/product.ts';
import { test } from './fixtures.ts';

const OWN_CATALOGUE = 'own/catalogue.yaml';
const CACHE = resolve('node_modules/.cache/tests');
const BUILT = ['.builds', 'dist'];

interface ShopDefinition {
  readonly name: string;
  readonly catalogue: {
    readonly settings: object;
    readonly defaults?: object;
    readonly domains: readonly object[];
  };
  /** More files of the project, their content by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** More settings. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Shop extends Product {
  /** Path of the catalogue. */
  readonly catalogue: string;
}

/** `test` with a product for all tests of a worker whose site is built from another catalogue than the sample. */
export function testWithShop(shop: ShopDefinition) {
  return test.extend<object, { shop: Shop }>({
    shop: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names out of it
      async ({}, use) => {
        const project = copyOfProject();
        prepareShop(project.folder, shop);
        // A process in its folder, which looks at the catalogue there.
        const product = await startProductProcess({ project: project.folder, env: { ...shop.env } });
        await use({ ...product, catalogue: join(project.folder, OWN_CATALOGUE) });
        await product.stop();
        project.remove();
      },
      // The first run builds the site.
      { scope: 'worker', timeout: 150_000 },
    ],
    baseURL: ({ shop }, use) => use(shop.origin),
  });
}

/** Writes the shop's files into a copy of the project, and the built site, which is made where no run has made it yet. */
function prepareShop(folder: string, { name, catalogue, files = {}, env = {} }: ShopDefinition): void {
  // JSON is YAML.
  const written = { [OWN_CATALOGUE]: JSON.stringify(catalogue), ...files };
  for (const [path, content] of Object.entries(written)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  const cached = join(CACHE, `${name}-${keyOf(written, env)}`);
  if (!existsSync(cached)) buildShop(folder, name, env, cached);
  else copyBuild(cached, folder);
}

/** @param cached where the built site is moved once it is complete */
function buildShop(
  folder: string,
  name: string,
  env: Readonly<Record<string, string>>,
  cached: string,
): void {
  const { status } = spawnSync(resolve('node_modules/.bin/node'), ['commands/build-if-needed.ts'], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...BASE_ENV, ...env },
  });
  if (status !== 0) throw new Error(`The site of the shop ${name} could not be built.`);
  for (const former of buildsOf(name).filter((one) => one !== cached))
    rmSync(former, { recursive: true, force: true });
  const next = mkdtempSync(join(CACHE, 'next-'));
  copyBuild(folder, next);
  try {
    renameSync(next, cached);
  } catch {
    // Another process was first.
    rmSync(next, { recursive: true });
  }
}

function copyBuild(from: string, to: string): void {
  for (const part of BUILT)
    cpSync(join(from, part), join(to, part), { recursive: true, verbatimSymlinks: true });
}

function buildsOf(name: string): string[] {
  mkdirSync(CACHE, { recursive: true });
  return readdirSync(CACHE)
    .filter((one) => one.startsWith(`${name}-`))
    .map((one) => join(CACHE, one));
}

function keyOf(written: object, env: object): string {
  const hash = createHash('sha256').update(JSON.stringify([process.version, written, env]));
  for (const file of sourceFiles()) hash.update(`\n${file}\n`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}
