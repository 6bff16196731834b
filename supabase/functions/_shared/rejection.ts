import type { Challenge } from './contract/bot-check.ts';
import type { RejectionCode } from './contract/rejections.ts';

export interface RejectionDetails {
  /** Values for the placeholders of the code's message. */
  readonly values?: Record<string, string>;
  readonly headers?: Record<string, string>;
  /** Further fields of the response's body; see `RejectionBodySchema`. */
  readonly body?: {
    readonly field?: string;
    readonly minutes?: number;
    /** The same request is accepted with the proof of this challenge. */
    readonly challenge?: Challenge;
  };
}

/** Thrown by a handler: the request is rejected with the status and the message of a code. */
export class Rejection extends Error {
  override name = 'Rejection';
  readonly code: RejectionCode;
  readonly values: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly body: object;

  constructor(code: RejectionCode, { values = {}, headers = {}, body = {} }: RejectionDetails = {}) {
    super(code);
    this.code = code;
    this.values = values;
    this.headers = headers;
    this.body = body;
  }
}

/** The request is rejected until `seconds` have passed. */
export class LimitReached extends Rejection {
  override name = 'LimitReached';

  constructor(
    code: 'too_many_offers' | 'too_many_sign_ins',
    seconds: number,
    body: RejectionDetails['body'] = {},
  ) {
    const minutes = Math.ceil(seconds / 60);
    super(code, {
      values: { minutes: minutes === 1 ? 'a minute' : `${minutes} minutes` },
      headers: { 'retry-after': String(seconds) },
      body: { ...body, minutes },
    });
  }
}

/** The database did not respond, or with an error. */
export class DatabaseUnavailable extends Rejection {
  override name = 'DatabaseUnavailable';

  /** @param reason for the log, without personal data */
  constructor(reason: string) {
    super('unavailable', { headers: { 'retry-after': '5' } });
    this.message = reason;
  }
}
