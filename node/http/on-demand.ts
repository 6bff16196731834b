import { readdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SiteFacts } from '../../src/serving/site-facts.ts';

/** `Astro.locals` of the rendered pages: see src/env.d.ts. */
interface OnDemandLocals {
  readonly host: string;
  readonly site: SiteFacts;
}

/** Renders one of `ON_DEMAND_PATHS` (server-paths.ts). */
export type RenderOnDemand = (
  request: IncomingMessage,
  response: ServerResponse,
  locals: OnDemandLocals,
) => Promise<void>;

/** The handler that `@astrojs/node` exports in middleware mode. */
type AdapterHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: undefined,
  locals: OnDemandLocals,
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
  const entry = loaded[modules.indexOf('entry.mjs')] as { handler: AdapterHandler };
  return async (request, response, locals) => {
    await entry.handler(request, response, undefined, locals);
  };
}
