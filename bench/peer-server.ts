/** A server to compare with. */
export interface PeerServer {
  readonly port: number;
  /** Processes whose time is measured. */
  readonly pids: number[];
  stop(): Promise<void>;
}
