/** Serves the functions in Deno as a hosted project does: each index.ts under its name. Prints its port. */
import process from 'node:process';
import adminAuth from './admin-auth/index.ts';
import botCheck from './bot-check/index.ts';
import deliver from './deliver/index.ts';
import negotiation from './negotiation/index.ts';
import orderSubmit from './order-submit/index.ts';

declare const Deno: {
  serve(
    options: { hostname: string; port: number; onListen(address: { port: number }): void },
    handler: (request: Request) => Promise<Response>,
  ): unknown;
};

const FUNCTIONS: Record<string, { fetch(request: Request): Promise<Response> }> = {
  'admin-auth': adminAuth,
  'bot-check': botCheck,
  deliver,
  negotiation,
  'order-submit': orderSubmit,
};

Deno.serve(
  { hostname: '127.0.0.1', port: 0, onListen: ({ port }) => process.stdout.write(`${port}\n`) },
  async (request) =>
    (await FUNCTIONS[new URL(request.url).pathname.split('/').at(-1) ?? '']?.fetch(request)) ??
    new Response(null, { status: 404 }),
);
