import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installWrangler } from '../../commands/worker/wrangler.ts';

/** What is used of Wrangler and of Miniflare, which starts workerd. Their types are not installed. */
interface Wrangler {
  unstable_getMiniflareWorkerOptions(config: string): { workerOptions: object };
}
interface MiniflareModule {
  convertV4MiniflareOptions(options: object): object;
  Miniflare: new (options: object) => { ready: Promise<URL>; dispose(): Promise<void> };
}

/** Runs the bundle of `npm run deploy:worker -- --dry-run` with wrangler.jsonc. It requests nothing from the network. */
export async function startWorkerd(project: string): Promise<{ port: number; stop(): Promise<void> }> {
  const load = createRequire(join(await installWrangler(), 'any.js'));
  const { unstable_getMiniflareWorkerOptions } = load('wrangler') as Wrangler;
  const { convertV4MiniflareOptions, Miniflare } = load('miniflare') as MiniflareModule;
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(project, 'wrangler.jsonc'));
  const modulesRoot = join(project, '.astro/worker/bundle');
  const modules = [{ type: 'ESModule', path: join(modulesRoot, 'entry.js') }];
  const worker = { ...workerOptions, name: 'site', modules, modulesRoot };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({ host: '127.0.0.1', port: 0, cf: false, workers: [worker] }),
  );
  const { port } = await miniflare.ready;
  return { port: Number(port), stop: () => miniflare.dispose() };
}
