import type { RejectionCode } from './contract/rejections.ts';

export interface RejectionDetails {
  /** Values for the placeholders of the code's message. */
  readonly values?: Record<string, string>;
  readonly headers?: Record<string, string>;
  /** Further fields of the response's body; see `RejectionBody`. */
  readonly body?: {
    readonly field?: string;
    readonly minutes?: number;
    readonly state?: unknown;
  };
}

/** Thrown by a handler: the request is rejected with the status and the message of a code. */
export class Rejection extends Error {
  readonly code: RejectionCode;
  readonly details: RejectionDetails;

  constructor(code: RejectionCode, details: RejectionDetails = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

/** The request is rejected until `seconds` have passed. */
export class LimitReached extends Rejection {
  constructor(code: 'too_many_offers' | 'too_many_sign_ins' | 'too_many_links', seconds: number) {
    const minutes = Math.ceil(seconds / 60);
    super(code, {
      values: { minutes: minutes === 1 ? 'a minute' : `${minutes} minutes` },
      headers: { 'retry-after': String(seconds) },
      body: { minutes },
    });
  }
}

/** The database did not respond, or with an error. */
export class DatabaseUnavailable extends Rejection {
  /** @param reason for the log, without personal data */
  constructor(reason: string) {
    super('unavailable', { headers: { 'retry-after': '5' } });
    this.message = reason;
  }
}
