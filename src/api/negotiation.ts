import { type Move, type Negotiation, NegotiationSchema } from '#contract/negotiation.ts';
import { type CallResult, callFunction } from './call-function.ts';

export type NegotiationResult =
  | { status: 'done'; negotiation: Negotiation }
  | Exclude<CallResult, { status: 'done' }>;

/** Reads what a buyer's link opens, or makes the buyer's move. Never throws. The same move is made once. */
export async function callNegotiation(token: string, move?: Move): Promise<NegotiationResult> {
  const result = await callFunction('negotiation', { token, ...(move && { move }) });
  if (result.status !== 'done') return result;
  const negotiation = NegotiationSchema.safeParse(result.body);
  return negotiation.success ? { status: 'done', negotiation: negotiation.data } : { status: 'unexpected' };
}
