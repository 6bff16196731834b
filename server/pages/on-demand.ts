import { readdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RequestedSite } from '../../src/serving/host-text.ts';

/** Renders one of `ON_DEMAND_PATHS` (server-paths.ts). @param locals `Astro.locals` */
export type RenderOnDemand = (
  request: IncomingMessage,
  response: ServerResponse,
  locals: RequestedSite,
) => Promise<void>;

/** The handler that `@astrojs/node` exports in middleware mode. */
type AdapterHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: undefined,
  locals: RequestedSite,
) => Promise<void>;

/**
 * Loads the server bundle of a build, all of it at once: a later build may replace its files. It holds code alone and no
 * catalogue, so that it stays right until the code changes; then the product is started anew anyway.
 * @param dist the folder that the build made
 */
export async function loadOnDemand(dist: string): Promise<RenderOnDemand> {
  const folder = resolve(dist, 'server');
  const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.mjs'),
  );
  const loaded = await Promise.all(modules.map((name) => import(pathToFileURL(join(folder, name)).href)));
  const { handler } = loaded[modules.indexOf('entry.mjs')] as { handler: AdapterHandler };
  return (request, response, locals) => handler(request, response, undefined, locals);
}
