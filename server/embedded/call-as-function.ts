/** How the functions call the database that is in their own process: without the requests that a hosted project needs. */
import { type CallDatabase, checkResults } from '../../supabase/functions/_shared/call-database.ts';
import { DatabaseUnavailable, Rejection } from '../../supabase/functions/_shared/rejection.ts';
import { readClaims } from '../backend-requests/access-token.ts';
import { type Caller, statusOf } from './database-calls.ts';
import type { DatabaseKeys, OpenDatabase } from './open-database.ts';
import { untilAborted } from './until-aborted.ts';

/** As that of a hosted project's functions. What was begun goes on. */
const TIMEOUT_MS = 8_000;
const SERVICE: Caller = { role: 'service_role', claims: {} };

export interface CallsOfFunctions {
  readonly database: Pick<OpenDatabase, 'callFunction'>;
  readonly keys: Pick<DatabaseKeys, 'jwtSecret'>;
  /** Called when the database has returned a result. */
  onResult(): void;
  /** Called when a sign-in is complete, with a second factor where there is one. */
  onSignedIn?(userId: string): Promise<void>;
  /** Keeps the database open until the promise is settled. */
  waitUntil(promise: Promise<unknown>): void;
}

export function createCallAsFunction({
  database,
  keys,
  onResult,
  onSignedIn,
  waitUntil,
}: CallsOfFunctions): CallDatabase {
  return checkResults(async (name, args: object, authorization) => {
    const claims = authorization === undefined ? undefined : readClaims(authorization, keys.jwtSecret);
    const caller =
      authorization === undefined ? SERVICE : claims && { role: 'authenticated' as const, claims };
    if (!caller) throw new Rejection('session_ended');
    try {
      const result = await untilAborted(AbortSignal.timeout(TIMEOUT_MS), () => {
        const called = database.callFunction(name, args, caller);
        waitUntil(called);
        return called;
      });
      onResult();
      if (name === 'open_admin_session' && (result as { status?: string } | null)?.status === 'opened')
        await onSignedIn?.((args as { user_id: string }).user_id);
      return result;
    } catch (error) {
      const { code, severity } = error as { code?: string; severity?: string };
      const hasResponse = severity === 'ERROR' && code !== undefined;
      if (hasResponse && caller !== SERVICE && [401, 403].includes(statusOf(code, caller.role)))
        throw new Rejection('session_ended');
      throw new DatabaseUnavailable(`${name}: ${hasResponse ? code : 'no response'}`);
    }
  });
}
