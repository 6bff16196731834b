import { createClient } from '@supabase/supabase-js';
import * as z from 'zod/mini';
import { DEFAULT_REPLY_WITHIN, hoursOf } from '#contract/reply-within.ts';
import type { Settings } from '../config/settings.ts';
import { type Control, callTool, findRunning } from '../embedded-backend/call-owner-tool.ts';
import type { UnansweredOffers } from '../embedded-backend/owner-tools.ts';
import { CLIENT_OPTIONS } from '../hosted-project/project.ts';
import { type Finding, findingsOf } from './finding.ts';

const RowsSchema = z.array(z.object({ created_at: z.string() }));

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
  { dataDir, supabase }: Settings,
  timeoutMs: number,
  replyWithin?: string,
): Promise<Finding> {
  const hours = hoursOf(replyWithin);
  try {
    if (supabase?.secretKey !== undefined) {
      const found = await readHosted(supabase.url, supabase.secretKey, hours, timeoutMs);
      return judgeUnanswered(found, replyWithin);
    }
    if (supabase) return skip('Not checked: SUPABASE_SECRET_KEY is not set here.');
    const control = await findRunning(dataDir);
    return control
      ? judgeUnanswered(await readEmbedded(control, hours, timeoutMs), replyWithin)
      : skip(`Not checked: this user reaches no running product with the data folder ${dataDir}.`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return fail(`The offers could not be read (${why}). Run this again.`);
  }
}

async function readEmbedded(control: Control, hours: number, timeoutMs: number): Promise<UnansweredOffers> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await callTool(control, `unanswered?hours=${hours}`, { signal });
  return (await response.json()) as UnansweredOffers;
}

async function readHosted(
  url: string,
  secretKey: string,
  hours: number,
  timeoutMs: number,
): Promise<UnansweredOffers> {
  const { data, count, error } = await createClient(url, secretKey, CLIENT_OPTIONS)
    .from('offers')
    .select('created_at', { count: 'exact' })
    .eq('status', 'pending')
    .is('held', false)
    .lt('created_at', new Date(Date.now() - hours * HOUR_MS).toISOString())
    .order('created_at')
    .limit(1)
    .abortSignal(AbortSignal.timeout(timeoutMs));
  const rows = RowsSchema.safeParse(data);
  // A login page of the network is an error as well, with its HTML as the message.
  if (error?.message.startsWith('<') || (!error && (!rows.success || count === null))) {
    throw new Error('something else than the data API responds: check SUPABASE_URL and the network');
  }
  if (error) throw new Error(error.message || error.code);
  return { count: count ?? 0, oldest: rows.data?.[0]?.created_at ?? null };
}
