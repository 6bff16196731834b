/** Messages between the server and the project's thread. */
import type { BackendRequest, BackendResponse } from '../backend-requests/backend-request.ts';
import type { DatabaseKeys } from './open-database.ts';

export interface ThreadData {
  readonly dataDir: string;
  /** Settings of the functions, by their names. */
  readonly settings: Readonly<Record<string, string>>;
}

export type ToThread =
  | (BackendRequest & { readonly id: number; readonly body: Uint8Array<ArrayBuffer> })
  | 'stop';

export type FromThread =
  | (BackendResponse & { readonly type: 'response'; readonly id: number })
  /** Requests are served. */
  | { readonly type: 'ready'; readonly keys: DatabaseKeys }
  /** A line of the log. */
  | { readonly type: 'line'; readonly line: string }
  /** A call of the database had a result, at most once a second. */
  | { readonly type: 'right' }
  /** While `isBusy`, requests may wait for long, because the thread works on its files. */
  | { readonly type: 'work'; readonly isBusy: boolean }
  /** The start failed; `message` is for the owner. */
  | { readonly type: 'failed'; readonly message: string };
