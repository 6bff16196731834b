/** Messages between the gateway's process and the database's process. */
export type FromDatabase =
  /** The port is open, with 503 for every request: the functions may be started. */
  | { type: 'listening'; port: number; secretKey: string; tokenSecret: string }
  /** Requests are served. */
  | { type: 'ready' }
  /** While `isBusy`, requests may wait for long, because the process works on its files. */
  | { type: 'work'; isBusy: boolean }
  /** The start failed; `message` is for the owner. */
  | { type: 'failed'; message: string };

/** First the options, then `stop`. */
export type ToDatabase = DatabaseOptions | 'stop';

export interface DatabaseOptions {
  dataDir: string;
  /** 0 lets the system choose. */
  port: number;
  publishableKey: string;
  /** Sent by the gateway with each request, as header x-gateway-key. */
  gatewayKey: string;
}
