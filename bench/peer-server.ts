/** A server that answers beside ours. */
export interface PeerServer {
  readonly port: number;
  /** Of the processes that do the work. */
  readonly pids: number[];
  stop(): Promise<void>;
}
