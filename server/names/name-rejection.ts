import { interpolate } from '#contract/interpolate.ts';
import type { NameRejection } from '#contract/names.ts';

/** Why a request to read or change names is rejected: status and message, by code. */
export const NAME_REJECTIONS = {
  not_json: [415, 'Please send JSON, with the header Content-Type: application/json.'],
  malformed: [400, 'That was not readable as JSON in UTF-8. Please reload the page.'],
  wrong_field: [400, 'The field “{field}” is missing, unknown or not right. Please reload the page.'],
  foreign_origin: [403, 'This is answered on the pages of the dashboard only. Please open it and try again.'],
  session_ended: [401, 'Your session has ended. Please sign in again.'],
  unknown_name: [409, '{name} is not in the catalogue. Please reload the page.'],
  changed: [409, 'This was changed meanwhile. Please check the new value, and save again.'],
  plan_changed: [409, 'The catalogue or the list changed meanwhile. Please check the preview again.'],
  dropped: [409, 'This change was taken back, because the file could not be written. Please save again.'],
  too_many_lines: [422, 'A list has at most {most} lines. Please send it in parts.'],
  nothing_to_do: [422, 'There is nothing to save.'],
  invalid: [422, 'Nothing was saved, because the catalogue would be wrong then. Please correct the fields.'],
  not_possible: [422, '{problem}'],
  sample: [409, 'There is only the sample catalogue, which updates may change. Please make your own first.'],
  own_catalogue: [409, '{shown} is there already. Please reload the page.'],
  read_only: [409, '{problem} Nothing was changed. Run the command on the server.'],
  wrong_catalogue: [409, '{problem}'],
  too_many_changes: [429, 'Too many changes at once. Please try again in {minutes}.'],
  locked: [
    503,
    'A command on the server is changing the catalogue. Nothing was changed: please try again in a minute.',
  ],
  disk_full: [503, 'The disk of the server is full. Nothing was changed: make room on it, and save again.'],
  not_written: [503, '{shown} could not be written ({reason}). Nothing was changed: please save again.'],
  stored_only: [
    503,
    'The change is stored, but {shown} could not be written. The next start of the product writes it, or takes it back.',
  ],
  busy: [503, 'Too many requests to the catalogue at the moment. Please try again in a minute.'],
  unavailable: [503, 'This cannot be done at the moment. Please try again in a minute.'],
  internal: [500, 'Something went wrong on our side. Please try again in a minute.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type NameRejectionCode = keyof typeof NAME_REJECTIONS;

interface Details {
  /** Of the placeholders in the message. */
  readonly values?: Readonly<Record<string, string>>;
  /** Further fields of the body. */
  readonly body?: Omit<NameRejection, 'error' | 'code' | 'request_id'>;
  /** In how many seconds the request may be sent again. */
  readonly retryAfter?: number;
}

/** Thrown in place of a result. */
export class NamesRejected extends Error {
  override name = 'NamesRejected';
  readonly code: NameRejectionCode;
  readonly details: Details;

  constructor(code: NameRejectionCode, details: Details = {}) {
    super(interpolate(NAME_REJECTIONS[code][1], details.values ?? {}));
    this.code = code;
    this.details = details;
  }
}
