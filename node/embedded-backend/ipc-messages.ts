/** What the gateway's process and the database's process tell each other. */
export type FromDatabase =
  /** The port is open (still answering 503): the functions may be started. */
  | { type: 'listening'; port: number; secretKey: string; tokenSecret: string }
  /** Everything is answered. */
  | { type: 'ready' }
  /** From now on, until `idle`, it may answer nothing for long, because it works on its files. */
  | { type: 'busy' }
  | { type: 'idle' }
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
  /** The gateway sends it with each request, as header x-gateway-key. */
  gatewayKey: string;
}
