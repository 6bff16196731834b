/** The owner's calls of the function `negotiation`. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { type Negotiation, type NegotiationRequest, NegotiationSchema } from '#contract/negotiation.ts';
import { readRejection } from '#contract/rejections.ts';
import { withFreshToken } from './with-fresh-token.ts';

/** The function rejected a request, and nothing was changed. */
export class NegotiationRejection extends Error {
  override name = 'NegotiationRejection';
  readonly code: string | undefined;
  /** Of a change of a deal. */
  readonly field: string | undefined;

  /** @param message empty where the function has none */
  constructor({ error = '', code, field }: ReturnType<typeof readRejection>) {
    super(error);
    this.code = code;
    this.field = field;
  }
}

interface Client {
  readonly functions: Pick<SupabaseClient['functions'], 'invoke'>;
  readonly auth: Pick<SupabaseClient['auth'], 'refreshSession'>;
}

export function createNegotiationApi(client: Client) {
  return {
    /** @throws SessionEnded, or NegotiationRejection */
    async callNegotiation(request: NegotiationRequest, signal?: AbortSignal): Promise<Negotiation> {
      const { body } = await withFreshToken(client.auth, async () => {
        const options = signal ? { body: request, signal } : { body: request };
        const { data, error, response } = await client.functions.invoke('negotiation', options);
        const body: unknown = error ? await response?.json().catch(() => undefined) : data;
        return { status: response?.status ?? 0, body };
      });
      const negotiation = NegotiationSchema.safeParse(body);
      if (negotiation.success) return negotiation.data;
      throw new NegotiationRejection(readRejection(body));
    },
  };
}

export type NegotiationApi = ReturnType<typeof createNegotiationApi>;
