import type { FunctionContext } from '../../supabase/functions/_shared/context.ts';
import { serveAdminAuth } from '../../supabase/functions/admin-auth/serve.ts';
import { serveBotCheck } from '../../supabase/functions/bot-check/serve.ts';
import type { Deliver } from '../../supabase/functions/deliver/handler.ts';
import { serveDeliver } from '../../supabase/functions/deliver/serve.ts';
import { serveNegotiation } from '../../supabase/functions/negotiation/serve.ts';
import { serveOrderSubmit } from '../../supabase/functions/order-submit/serve.ts';

/** A function's name → the function, as a hosted project deploys it under that name. */
export type Functions = ReadonlyMap<string, { fetch(request: Request): Promise<Response> }>;

/** @param deliver absent: the functions call it by a request, as on a hosted project */
export function createFunctions(hosted: FunctionContext, deliver?: Deliver): Functions {
  const context = deliver ? { ...hosted, deliver } : hosted;
  return new Map([
    ['admin-auth', serveAdminAuth(context)],
    ['bot-check', serveBotCheck(context)],
    ['deliver', serveDeliver(context, deliver)],
    ['negotiation', serveNegotiation(context)],
    ['order-submit', serveOrderSubmit(context)],
  ]);
}
