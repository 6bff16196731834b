/** Reasons of failed attempts, as the dashboard shows them. */

import { shorten } from '../_shared/contract/shorten.ts';
import type { Outcome } from './delivery.ts';
import { plainLine } from './plain-line.ts';

const MAX_REASON = 300;

const EMAIL = /[^\s<>()[\],;:@]+@[^\s<>()[\],;:@]+/g;

/**
 * @param text the response of the server, or why there is none; email addresses are removed
 * @param secrets texts that it must not hold either: the URL of a webhook is often a password
 */
export function failed(
  text: string,
  { permanent = false, responded = false, addressRejected = false, secrets = [] as readonly string[] } = {},
): Outcome {
  const open = secrets
    .filter((secret) => secret.length > 3)
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
  const reason = shorten(plainLine(open.replace(EMAIL, '(email)')), MAX_REASON);
  return {
    status: 'failed',
    reason: reason || 'No reason was given.',
    permanent,
    responded,
    ...(addressRejected && { addressRejected }),
  };
}

/** The last line of a response that is not empty. */
export function lastLine(text: string): string {
  return text.match(/\S.*/g)?.at(-1)?.trimEnd() ?? '';
}

/** The first line of a response that is not empty, without HTML tags. */
export function firstLine(text: string): string {
  const plain = text.replace(/<(style|script)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ');
  return plain.match(/\S.*/)?.[0].trimEnd() ?? '';
}
