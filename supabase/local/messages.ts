/** What the gateway's process and the database's process tell each other. */
import type { DatabaseOptions } from './database.ts';

export type FromDatabase =
  /** The port is open (still answering 503): the functions may be started. */
  | { type: 'listening'; port: number; secretKey: string }
  /** Everything is answered. `administrator` tells what the first start made. */
  | { type: 'ready'; administrator: AdministratorNews }
  /** It will not start; `message` is one sentence for the owner. */
  | { type: 'failed'; message: string };

export type ToDatabase =
  /** The first message, always. */
  { type: 'open'; options: DatabaseOptions } | { type: 'stop' };

export interface AdministratorNews {
  email: string;
  /** Whether this start made the account, changed its password, or found it as it is. */
  change: 'created' | 'password_changed' | 'none';
  /** The password made for a new account: shown once, kept nowhere. */
  generatedPassword?: string | undefined;
  /** Addresses of those whom this start took out, because the setting names another. */
  former: string[];
}
