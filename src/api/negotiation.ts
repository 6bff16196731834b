import { type Move, type Negotiation, NegotiationSchema } from '#contract/negotiation.ts';
import { readRejection } from '#contract/rejections.ts';
import { type CallResult, callFunction } from './call-function.ts';

export type NegotiationResult =
  | { status: 'done'; negotiation: Negotiation }
  | Exclude<CallResult, { status: 'done' }>;

/** Reads what a buyer's link opens, or makes the buyer's move. Never throws. The same move is made once. */
export async function callNegotiation(token: string, move?: Move): Promise<NegotiationResult> {
  const result =
    (!move && (await earlyResult(token))) ||
    (await callFunction('negotiation', { token, ...(move && { move }) }));
  if (result.status !== 'done') return result;
  const negotiation = NegotiationSchema.safeParse(result.body);
  return negotiation.success ? { status: 'done', negotiation: negotiation.data } : { status: 'unexpected' };
}

/** The response to the read that the page has begun itself (page-scripts/read-link.ts); undefined where it got none. */
async function earlyResult(token: string): Promise<CallResult | undefined> {
  const { linkRead } = globalThis;
  if (linkRead?.token !== token) return undefined;
  globalThis.linkRead = undefined;
  const { status = 500, body } = (await linkRead.result) ?? {};
  if (status >= 500) return undefined;
  return status < 300 ? { status: 'done', body } : { status: 'rejected', rejection: readRejection(body) };
}
