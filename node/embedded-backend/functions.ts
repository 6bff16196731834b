/**
 * The functions' process, in Deno: the same index.ts files that a hosted project deploys, each under its name.
 * Started by functions-process.ts; prints its port on a line of its own, and ends when its standard input does.
 */
import process from 'node:process';
import { Readable } from 'node:stream';
import type { SendToDeliver } from '../../supabase/functions/_shared/deliver-soon.ts';
import { Rejection } from '../../supabase/functions/_shared/rejection.ts';
import { toResponse } from '../../supabase/functions/_shared/response.ts';
import { adminAuthWith } from '../../supabase/functions/admin-auth/index.ts';
import botCheck from '../../supabase/functions/bot-check/index.ts';
import deliver from '../../supabase/functions/deliver/index.ts';
import { negotiationWith } from '../../supabase/functions/negotiation/index.ts';
import { orderSubmitWith } from '../../supabase/functions/order-submit/index.ts';

declare const Deno: {
  serve(
    options: { hostname: string; port: number; onListen(address: { port: number }): void },
    handler: (request: Request) => Response | Promise<Response>,
  ): { shutdown(): Promise<void> };
};

/** What is being delivered after an offer or a move. */
let delivering: Promise<unknown> = Promise.resolve();
const sendToDeliver: SendToDeliver = (request) => {
  const response = deliver.fetch(request);
  delivering = response;
  return response;
};

const FUNCTIONS: Record<string, { fetch(request: Request): Response | Promise<Response> }> = {
  'order-submit': orderSubmitWith(sendToDeliver),
  'admin-auth': adminAuthWith(sendToDeliver),
  'bot-check': botCheck,
  deliver,
  negotiation: negotiationWith(sendToDeliver),
};

const server = Deno.serve(
  {
    hostname: '127.0.0.1',
    port: Number(process.env.FUNCTIONS_PORT ?? 0),
    onListen: ({ port }) => console.log(JSON.stringify({ event: 'listening', port })),
  },
  (request) => {
    const { pathname } = new URL(request.url);
    // For the process that supervises this one; the gateway forwards nothing here.
    if (pathname === '/health') return new Response('ok');
    const name = pathname.split('/').at(-1) ?? '';
    const found = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    return found
      ? found.fetch(request)
      : toResponse(new Rejection('not_found'), crypto.randomUUID(), undefined);
  },
);

// A terminal's Ctrl-C and systemd's SIGTERM reach every process; the parent decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
Readable.from(process.stdin)
  .on('data', () => {})
  .on('end', stop)
  .on('error', stop);

function stop(): void {
  // A message that was sent and not marked would be sent again.
  Promise.all([server.shutdown(), delivering]).finally(() => process.exit(0));
}
