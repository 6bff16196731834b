import type { DeliverBody } from '../../supabase/functions/_shared/call-deliver.ts';
import { createContext } from '../../supabase/functions/_shared/context.ts';
import { createLog } from '../../supabase/functions/_shared/log.ts';
import { readSettings } from '../../supabase/functions/_shared/settings.ts';
import { deliverOf } from '../../supabase/functions/deliver/serve.ts';
import { removeFirstPassword } from './auth-admin.ts';
import { createCallAsFunction } from './call-as-function.ts';
import { createFunctions } from './functions.ts';
import { log } from './log.ts';
import type { DatabaseKeys, OpenDatabase } from './open-database.ts';
import { PROJECT_URL, type ProjectOptions } from './project-options.ts';
import { handleRequest } from './project-routes.ts';
import { reasonOf } from './reason-of.ts';
import { untilAborted } from './until-aborted.ts';

/** Serves an open database, with the functions in front of it. */
export function serveProject(
  database: OpenDatabase,
  keys: DatabaseKeys,
  {
    dataDir,
    settings = {},
    print = (line) => process.stderr.write(`${line}\n`),
    onFailure = () => {},
    onResult = () => {},
    duringMaintenance = (work) => work(),
  }: ProjectOptions,
) {
  const underWay = new Set<Promise<unknown>>();
  const waitUntil = (promise: Promise<unknown>) => {
    const settled = promise.catch(() => {}).finally(() => underWay.delete(settled));
    underWay.add(settled);
  };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    return await untilAborted(request.signal, () => {
      const response = handleRequest(request, served);
      waitUntil(response);
      return response;
    });
  };
  // No reason to reject a sign-in.
  const onSignedIn = (userId: string) =>
    removeFirstPassword(database.sql, dataDir, userId).catch((error) =>
      log('error', 'password_file_not_removed', { reason: reasonOf(error) }),
    );
  const context = createContext(
    readSettings({
      ...settings,
      SUPABASE_URL: PROJECT_URL,
      SUPABASE_PUBLISHABLE_KEY: keys.publishableKey,
      SUPABASE_SECRET_KEY: keys.secretKey,
    }),
    {
      fetch,
      log: createLog({ log: print, error: print }),
      waitUntil,
      callDatabase: createCallAsFunction({ database, keys, onResult, onSignedIn, waitUntil }),
    },
  );
  const { mail, webhooks } = context.settings.messages;
  const deliver = deliverOf(context);
  const functions = createFunctions(context, deliver);
  const served = { dataDir, keys, database, functions, onFailure, onResult, duringMaintenance };
  return {
    fetch,
    deliver: (body: DeliverBody) => {
      const delivered = deliver(body);
      waitUntil(delivered);
      return delivered;
    },
    hasMessages: mail !== undefined || webhooks.urls.length > 0,
    /** Resolves when no request is under way, and no function works any more after its response. */
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
