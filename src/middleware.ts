import { defineMiddleware } from 'astro:middleware';
import { scriptsLast } from './scripts-last.ts';

/** Runs for every page while the site is built, and in `npm run dev`; never for a visitor. */
export const onRequest = defineMiddleware(async (_context, next) => {
  const response = await next();
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response;
  return new Response(scriptsLast(await response.text()), response);
});
