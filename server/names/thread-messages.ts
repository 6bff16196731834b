import type { NamesRequest } from '#contract/names.ts';
import type { NameRejectionCode, NamesRejected } from './name-rejection.ts';

/** A request, or what a start does. */
export type NamesTask = NamesRequest | { readonly action: 'carry_out' };

export type ToThread =
  | { readonly kind: 'task'; readonly task: NamesTask; readonly adminHost: string | undefined }
  /** Of the last call. */
  | { readonly kind: 'returned'; readonly rejected?: NameRejectionCode; readonly result?: unknown };

export type FromThread =
  /** One at a time. */
  | { readonly kind: 'call'; readonly name: string; readonly args: unknown }
  | { readonly kind: 'done'; readonly result: unknown }
  | {
      readonly kind: 'rejected';
      readonly code: NameRejectionCode;
      readonly details: NamesRejected['details'];
    }
  | { readonly kind: 'failed'; readonly reason: string };
