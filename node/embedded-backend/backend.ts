/**
 * The embedded backend for the gateway: two processes (the database; the functions in Deno), their origins and their
 * health. A process that ends is started again on the same port; both end with this process.
 */
import { hostsOfMessages, readMessageSettings } from '#contract/message-settings.ts';
import type { Publish } from '#contract/publication.ts';
import type { AdministratorChange } from './administrator.ts';
import { type Control, callTool, publishTo, removeRunningFile, writeRunningFile } from './call-owner-tool.ts';
import { startDatabase } from './database-process.ts';
import { type FunctionsOptions, startFunctions } from './functions-process.ts';
import type { DatabaseOptions } from './ipc-messages.ts';
import { startMessageClock } from './message-clock.ts';
import { type MessageState, messageHealth } from './message-tools.ts';

export interface Backend {
  /** Origin of the data API and auth, or undefined while they are down. */
  databaseOrigin(): string | undefined;
  /** Origin of the functions, or undefined while they are down. */
  functionsOrigin(): string | undefined;
  /** Sent by the gateway to the database with each request, as header x-gateway-key. */
  readonly gatewayKey: string;
  /** Signs access tokens (HS256): the gateway verifies them with it. Must not leave the server, nor appear in a log. */
  readonly tokenSecret: string;
  /** For each part true, or a message why it does not work. */
  health(): Promise<{ database: true | string; functions: true | string; messages: true | string }>;
  /** Sends messages that have become due, without waiting for them. */
  deliverMessages(): void;
  /** Publishes a catalogue: the functions follow it at once. */
  readonly publish: Publish;
  /**
   * Makes sure of an administrator (administrator.ts). Called when the result can be shown, since a generated password
   * is returned only once.
   */
  ensureAdministrator(email: string, password: string | undefined): Promise<AdministratorChange>;
  stop(): Promise<void>;
}

export interface BackendOptions extends Omit<DatabaseOptions, 'port' | 'gatewayKey'>, FunctionsOptions {
  /** Program of the database process; replaced by tests. */
  databaseProgram?: string;
  /** Words on the site, too easy to guess for a password. Called when a password is set. */
  siteWords?: () => readonly string[];
}

/** @throws UserError with the database's message when it does not start */
export async function startBackend(options: BackendOptions): Promise<Backend> {
  const { functionsEnv, onLog, databaseProgram, siteWords, ...databaseOptions } = options;
  const { publishableKey } = options;
  const database = await startDatabase(databaseOptions, onLog, databaseProgram);
  const functions = startFunctions({ publishableKey, functionsEnv, onLog }, database);
  try {
    await Promise.all([database.ready, functions.up]);
    writeRunningFile(options.dataDir, { origin: database.origin });
    const clock = startMessageClock({
      configured: hasMessages(functionsEnv),
      deliver: (retry) => callDeliver(functions.origin(), database.secretKey, retry),
    });
    return {
      databaseOrigin: () => (database.process.isUp() ? database.origin : undefined),
      functionsOrigin: () => functions.origin(),
      gatewayKey: database.gatewayKey,
      tokenSecret: database.tokenSecret,
      health: async () => {
        const [ofDatabase, ofFunctions, ofMessages] = await Promise.all([
          database.process.health(),
          functions.process.health(),
          healthOfMessages(database),
        ]);
        return { database: ofDatabase, functions: ofFunctions, messages: ofMessages };
      },
      deliverMessages: clock.deliverSoon,
      publish: (publication, keepOld) => publishTo(database, publication, keepOld),
      ensureAdministrator: async (email, password) => {
        const words = password === undefined ? undefined : siteWords?.();
        const body = JSON.stringify({ email, password, siteWords: words });
        const response = await callTool(database, 'administrator', { method: 'POST', body });
        const change = (await response.json()) as AdministratorChange;
        if (password !== undefined) {
          writeRunningFile(options.dataDir, { origin: database.origin, passwordSetFor: change.email });
        }
        return change;
      },
      stop: async () => {
        clock.stop();
        removeRunningFile(options.dataDir);
        await functions.process.stop();
        await database.process.stop();
      },
    };
  } catch (error) {
    await functions.process.stop();
    await database.process.stop();
    throw error;
  }
}

function hasMessages(env: Record<string, string>): boolean {
  const messages = readMessageSettings(env);
  return messages.status === 'read' && hostsOfMessages(messages.settings).length > 0;
}

/** Longest time of one call of `deliver`, in milliseconds: its own limit and the attempt that runs at that moment. */
const DELIVER_TIMEOUT_MS = 120_000;

/** @throws where the function is down or responds with an error */
async function callDeliver(origin: string | undefined, secretKey: string, retry: boolean): Promise<void> {
  const response = await fetch(`${origin}/deliver`, {
    method: 'POST',
    headers: { apikey: secretKey, 'content-type': 'application/json' },
    body: JSON.stringify(retry ? { retry } : {}),
    signal: AbortSignal.timeout(DELIVER_TIMEOUT_MS),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`deliver responded with ${response.status}`);
}

/** True also where the database does not respond: that is reported as its own. */
async function healthOfMessages(database: Control): Promise<true | string> {
  try {
    const response = await callTool(database, 'messages', { signal: AbortSignal.timeout(2_000) });
    return messageHealth((await response.json()) as MessageState);
  } catch {
    return true;
  }
}
