/** The catalogue's file, which the server of the pages reads and changes: `/admin/catalogue`. A hosted project has none. */
import type { SupabaseClient } from '@supabase/supabase-js';
import type * as z from 'zod/mini';
import {
  type Build,
  BuildResponseSchema,
  CATALOGUE_PATH,
  type NameChange,
  type NameRejection,
  NameRejectionSchema,
  NamesPlanSchema,
  type NamesRead,
  NamesReadSchema,
  type NamesRequest,
  NamesSavedSchema,
} from '#contract/names.ts';
import { fetchInTime } from './fetch-in-time.ts';
import { withFreshToken } from './with-fresh-token.ts';

/** The server rejected a request, and nothing was written. */
export class CatalogueRejection extends Error {
  override name = 'CatalogueRejection';
  readonly rejection: NameRejection;

  constructor(rejection: NameRejection) {
    super(rejection.error);
    this.rejection = rejection;
  }
}

type Auth = Pick<SupabaseClient['auth'], 'getSession' | 'refreshSession'>;

/**
 * Each function throws CatalogueRejection, SessionEnded, or Error without a message where there is no response, or one of something else.
 * @param request is replaced by tests
 */
export function createCatalogueApi(auth: Auth, request: typeof fetch = fetchInTime) {
  async function send(body: NamesRequest | undefined, signal?: AbortSignal) {
    return withFreshToken(auth, async () => {
      const { data } = await auth.getSession();
      const response = await request(CATALOGUE_PATH, {
        cache: 'no-store',
        headers: {
          authorization: `Bearer ${data.session?.access_token ?? ''}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        ...(signal && { signal }),
      }).catch((cause: unknown) => {
        // Not the browser's own message, so that the page shows its own.
        throw new Error('', { cause });
      });
      const json: unknown = await response.json().catch(() => undefined);
      return { status: response.status, json };
    });
  }

  async function call<Schema extends z.ZodMiniType>(
    schema: Schema,
    body?: NamesRequest,
    signal?: AbortSignal,
  ) {
    return resultOf(schema, (await send(body, signal)).json);
  }

  return {
    /** `unavailable` where the server of the pages has no such file, as at the edge. */
    async readFile(names: readonly string[], signal?: AbortSignal): Promise<NamesRead | 'unavailable'> {
      const { status, json } = await send({ action: 'read', names: [...names] }, signal);
      return status === 404 ? 'unavailable' : resultOf(NamesReadSchema, json);
    },
    readBuild: async (signal?: AbortSignal): Promise<Build> =>
      (await call(BuildResponseSchema, undefined, signal)).build,
    change: (batch: string, changes: readonly NameChange[]) =>
      call(NamesSavedSchema, { action: 'change', batch, changes: [...changes] }),
    plan: (text: string, signal?: AbortSignal) => call(NamesPlanSchema, { action: 'plan', text }, signal),
    add: (batch: string, text: string, plan: string) =>
      call(NamesSavedSchema, { action: 'add', batch, text, plan }),
    init: () => call(NamesSavedSchema, { action: 'init' }),
  };
}

export type CatalogueApi = ReturnType<typeof createCatalogueApi>;

function resultOf<Schema extends z.ZodMiniType>(schema: Schema, json: unknown): z.infer<Schema> {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const rejection = NameRejectionSchema.safeParse(json);
  throw rejection.success ? new CatalogueRejection(rejection.data) : new Error('', { cause: result.error });
}
