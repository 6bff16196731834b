/** Reasons of failed attempts, as the dashboard shows them. */

import { shorten } from '../_shared/contract/shorten.ts';
import type { Outcome, ServerFailure } from './delivery.ts';
import { plainLine } from './plain-line.ts';

const MAX_REASON = 300;

/** Characters of a response that are looked at: the time of some of the expressions grows with the square of their number. */
const MAX_TEXT = 2_000;

const EMAIL = /[^\s<>()[\],;:@]+@[^\s<>()[\],;:@]+/g;

interface FailureDetails {
  readonly permanent?: boolean;
  readonly addressRejected?: boolean;
  readonly failure?: ServerFailure | undefined;
  /** Texts that the reason must not hold: the URL of a webhook is often a password. */
  readonly secrets?: readonly string[];
}

/** @param text the response of the server, or why there is none; email addresses are removed */
export function failed(
  text: string,
  { permanent = false, addressRejected = false, failure, secrets = [] }: FailureDetails = {},
): Outcome {
  const open = secrets
    .filter((secret) => secret.length > 3)
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
  const reason = shorten(plainLine(open.slice(0, MAX_TEXT).replace(EMAIL, '(email)')), MAX_REASON);
  return {
    status: 'failed',
    reason: reason || 'No reason was given.',
    permanent,
    ...(addressRejected && { addressRejected }),
    ...(failure && { failure }),
  };
}

/** The last line of a response that is not empty. */
export function lastLine(text: string): string {
  const all = text.trimEnd();
  const start = all.lastIndexOf('\n') + 1;
  return all.slice(start, start + MAX_TEXT).trim();
}

/** The first line of a response that is not empty, without HTML tags. */
export function firstLine(text: string): string {
  const plain = text
    .slice(0, MAX_TEXT)
    .replace(/<(style|script)[\s\S]*?(?:<\/\1>|$)/gi, ' ')
    .replace(/<[^>]*>/g, ' ');
  return plain.match(/\S.*/)?.[0].trimEnd() ?? '';
}
