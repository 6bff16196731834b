/** Messages between the gateway's process and the database's process. */
export type FromDatabase =
  /** The port is open, with 503 for every request: the functions may be started. */
  | { type: 'listening'; port: number; secretKey: string; tokenSecret: string }
  /** Requests are served. */
  | { type: 'ready' }
  /** Until `idle`, requests may wait for long, because the process works on its files. */
  | { type: 'busy' }
  | { type: 'idle' }
  /** The start failed; `message` is for the owner. */
  | { type: 'failed'; message: string };

export type ToDatabase =
  /** Always the first message. */
  { type: 'open'; options: DatabaseOptions } | { type: 'stop' };

export interface DatabaseOptions {
  dataDir: string;
  /** 0 lets the system choose. */
  port: number;
  publishableKey: string;
  /** Sent by the gateway with each request, as header x-gateway-key. */
  gatewayKey: string;
}
