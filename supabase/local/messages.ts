/** What the gateway's process and the database's process tell each other. */
export type FromDatabase =
  /** The port is open (still answering 503): the functions may be started. */
  | { type: 'listening'; port: number; secretKey: string }
  /** Everything is answered. */
  | { type: 'ready' }
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
}
