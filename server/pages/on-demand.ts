/** Renders the texts that each host has of its own by Astro's server bundle, which `@astrojs/node` makes of src/pages. */
import { readdirSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RequestedSite } from '../../src/serving/host-text.ts';

/** A text with the headers of its page. */
interface RenderedText {
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/**
 * Renders one of `HOST_TEXT_PATHS` (server-paths.ts). @param locals `Astro.locals`
 * @returns undefined where the host has no such text
 */
export type RenderText = (path: string, locals: RequestedSite) => Promise<RenderedText | undefined>;

/** The handler that `@astrojs/node` exports in middleware mode. */
type AdapterHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: undefined,
  locals: RequestedSite,
) => Promise<void>;

/** Headers of the page that are sent; the others follow from the bytes. */
const SENT = ['cache-control', 'content-type'] as const;

/**
 * Loads the server bundle of a build, all of it at once: a later build may replace its files. It holds code alone and no
 * catalogue, so that it stays right until the code changes; then the product is started anew anyway.
 * @param dist the folder that the build made
 */
export async function loadOnDemand(dist: string): Promise<RenderText> {
  const folder = resolve(dist, 'server');
  const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.mjs'),
  );
  const loaded = await Promise.all(modules.map((name) => import(pathToFileURL(join(folder, name)).href)));
  const { handler } = loaded[modules.indexOf('entry.mjs')] as { handler: AdapterHandler };
  return async (path, locals) => {
    // Of no client: the text is kept for all that request it. The page takes the host from its locals.
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { method: 'GET', url: path, headers: { host: 'localhost' } });
    const response = new ResponseInMemory(request);
    await handler(request, response, undefined, locals);
    if (response.statusCode === 404) return undefined;
    if (response.statusCode !== 200) throw new Error(`Could not render ${path} (${response.statusCode}).`);
    const headers = SENT.map((name) => [name, String(response.sent[name] ?? '')]);
    return { headers: Object.fromEntries(headers), body: Buffer.concat(response.chunks) };
  };
}

/** Keeps what is written to it. */
class ResponseInMemory extends ServerResponse {
  readonly chunks: Buffer[] = [];
  sent: Record<string, unknown> = {};

  override writeHead(status: number, headers?: unknown): this {
    this.statusCode = status;
    this.sent = Object(headers);
    return this;
  }

  override write(chunk: Uint8Array | string): boolean {
    this.chunks.push(Buffer.from(chunk as Uint8Array));
    return true;
  }

  override end(chunk?: unknown): this {
    if (chunk !== undefined) this.write(chunk as Uint8Array);
    return this;
  }
}
