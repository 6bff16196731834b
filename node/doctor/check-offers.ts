import { DEFAULT_REPLY_WITHIN, hoursOf } from '#contract/reply-within.ts';
import type { Settings } from '../config/settings.ts';
import { findProject } from '../embedded-backend/with-project.ts';
import { readUnanswered, type UnansweredOffers } from '../hosted-project/offers.ts';
import { type Finding, findingsOf } from './finding.ts';

const HOUR_MS = 3_600_000;

const { ok, skip, warn, fail } = findingsOf('offers');

/**
 * Judges the offers that have been new for longer than the pages promise, without those that are held.
 * @param replyWithin what the pages promise
 */
export function judgeUnanswered(
  { count, oldest }: UnansweredOffers,
  replyWithin = DEFAULT_REPLY_WITHIN,
  now = Date.now(),
): Finding {
  if (count === 0) return ok(`No offer has been new for more than ${replyWithin}.`);
  const days = oldest === null ? 0 : Math.floor((now - Date.parse(oldest)) / (24 * HOUR_MS));
  const offers = count === 1 ? '1 offer has' : `${count.toLocaleString('en-US')} offers have`;
  return warn(
    `${offers} been new for more than ${replyWithin}, the oldest for ${days} ${days === 1 ? 'day' : 'days'}: answer them and change their status in the dashboard.`,
  );
}

/**
 * Reads and judges them. A database that does not run is not started: meanwhile the product could not start, and this
 * command may run at any time.
 */
export async function checkOffers(
  settings: Settings,
  timeoutMs: number,
  replyWithin?: string,
): Promise<Finding> {
  const project = await findProject(settings);
  if (typeof project === 'string') return skip(`Not checked: ${project}`);
  try {
    return judgeUnanswered(await readUnanswered(project, hoursOf(replyWithin), timeoutMs), replyWithin);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return fail(`The offers could not be read: ${why}`);
  }
}
