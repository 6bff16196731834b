/** Makes the folder that Cloudflare gets: the files of a build without their compressed forms, and the Worker's entry. */
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { UserError } from '../../process/user-error.ts';

/** Cloudflare's limits, as of 2026-11: files of a Worker, on the free plan and on the paid one, and bytes of a file. */
const MAX_FILES_FREE = 20_000;
const MAX_FILES = 100_000;
const MAX_FILE_BYTES = 25 * 1024 * 1024;

/** Named in wrangler.jsonc. */
const FOLDER = resolve('.astro/worker');
const WORKER = resolve('worker/worker.ts');

/**
 * Cloudflare compresses by itself, and would serve compressed files as files of their own.
 * @param dist the build's folder
 * @returns what to know about the plan, or undefined
 * @throws UserError where Cloudflare would take the files on no plan
 */
export function makeWorkerFolder(dist: string, adminHost: string | undefined): string | undefined {
  const client = join(FOLDER, 'client');
  rmSync(FOLDER, { recursive: true, force: true });
  cpSync(join(dist, 'client'), client, {
    recursive: true,
    // A folder may end like a compressed file: that of the domain `lap.com.br`.
    filter: (name) => !/\.(?:br|gz)$/.test(name) || statSync(name).isDirectory(),
  });
  const files = readdirSync(client, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, stat: statSync(join(client, name)) }))
    .filter(({ stat }) => stat.isFile());
  const note = noteOnLimits(files.map(({ name, stat }) => ({ name, bytes: stat.size })));
  writeFileSync(join(FOLDER, 'entry.js'), entryOf(dist, adminHost));
  return note;
}

/** @throws UserError where no plan allows the files */
export function noteOnLimits(files: readonly { name: string; bytes: number }[]): string | undefined {
  const large = files.find(({ bytes }) => bytes > MAX_FILE_BYTES);
  if (large) throw new UserError(`${large.name} has more than 25 MiB, Cloudflare's limit for a file.`);
  const count = `The site has ${files.length} files`;
  if (files.length > MAX_FILES)
    throw new UserError(`${count}, and a Worker may have ${MAX_FILES} on Cloudflare's paid plan.`);
  return files.length > MAX_FILES_FREE ? `${count}: it needs Cloudflare's paid plan.` : undefined;
}

/** Holds what the Worker knows of the build; it is not among the files, which everybody can read. */
function entryOf(dist: string, adminHost: string | undefined): string {
  const [policies, siteFacts] = ['policies.json', 'site-facts.json'].map((name) =>
    readFileSync(join(dist, name), 'utf8'),
  );
  const build = `{ policies: ${policies}, siteFacts: ${siteFacts}, adminHost: ${JSON.stringify(adminHost)} }`;
  return `import { workerOf } from '${relative(FOLDER, WORKER)}';\nexport default workerOf(${build});\n`;
}
