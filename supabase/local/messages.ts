/** What the gateway's process and the database's process tell each other. */
import type { AdministratorNews } from './administrator.ts';

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

export interface DatabaseOptions {
  dataDir: string;
  /** 0 lets the system choose. */
  port: number;
  publishableKey: string;
  /** Absent: the database is opened for a tool, and nobody is made an administrator. */
  adminEmail?: string | undefined;
  /** Absent: one is made for a new administrator. */
  adminPassword?: string | undefined;
}
