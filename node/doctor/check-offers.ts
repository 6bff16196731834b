import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import type { Settings } from '../config/settings.ts';
import { UserError } from '../config/user-error.ts';
import { callTool, withDatabase } from '../embedded-backend/call-owner-tool.ts';
import type { UnansweredOffers } from '../embedded-backend/owner-tools.ts';
import type { Finding } from './finding.ts';

/** What the pages promise to customers. */
const MAX_HOURS = 24;
const HOUR_MS = 3_600_000;

/** Judges the offers that have been new for more than a day, without those that are held. */
export function judgeUnanswered({ count, oldest }: UnansweredOffers, now = Date.now()): Finding {
  const finding = (status: Finding['status'], message: string): Finding => ({
    status,
    check: 'offers',
    message,
  });
  if (count === 0) return finding('ok', `No offer has been new for more than ${MAX_HOURS} hours.`);
  const days = oldest === null ? 0 : Math.floor((now - Date.parse(oldest)) / (24 * HOUR_MS));
  const offers = count === 1 ? '1 offer has' : `${count.toLocaleString('en-US')} offers have`;
  return finding(
    'warn',
    `${offers} been new for more than ${MAX_HOURS} hours, the oldest for ${days} ${days === 1 ? 'day' : 'days'}: answer them and change their status in the dashboard.`,
  );
}

/** Reads and judges them; the database need not run. */
export async function checkOffers({ dataDir, supabase }: Settings, timeoutMs: number): Promise<Finding> {
  if (supabase && supabase.secretKey === undefined) {
    const message = 'Not checked: SUPABASE_SECRET_KEY is not set here.';
    return { status: 'skip', check: 'offers', message };
  }
  if (!supabase && !existsSync(join(dataDir, 'database'))) {
    return { status: 'skip', check: 'offers', message: `There is no database in ${dataDir} yet.` };
  }
  try {
    return judgeUnanswered(
      supabase
        ? await readHosted(supabase.url, supabase.secretKey ?? '', timeoutMs)
        : await withDatabase(dataDir, async (control) => {
            return (await (
              await callTool(control, `unanswered?hours=${MAX_HOURS}`)
            ).json()) as UnansweredOffers;
          }),
    );
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = error instanceof UserError ? why : `The offers could not be read (${why}).`;
    return { status: 'fail', check: 'offers', message };
  }
}

async function readHosted(url: string, secretKey: string, timeoutMs: number): Promise<UnansweredOffers> {
  const client = createClient(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  });
  const { data, count, error } = await client
    .from('offers')
    .select('created_at', { count: 'exact' })
    .eq('status', 'pending')
    .is('held', false)
    .lt('created_at', new Date(Date.now() - MAX_HOURS * HOUR_MS).toISOString())
    .order('created_at')
    .limit(1)
    .abortSignal(AbortSignal.timeout(timeoutMs));
  if (error) throw new Error(error.message || error.code);
  return { count: count ?? 0, oldest: (data[0] as { created_at: string } | undefined)?.created_at ?? null };
}
