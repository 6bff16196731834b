import { describeMismatch, PROVIDER_PATH } from '#contract/bot-check-provider.ts';
import type { Settings } from '../../config/settings.ts';

/** Time for the response: the first call of a function starts it. */
const TIMEOUT_MS = 10_000;

/**
 * Compares the bot check of the settings, which a build puts into the pages, with the one that a hosted project expects.
 * Undefined where they agree, and where the project sends no response.
 */
export async function findBotCheckProblem(
  { supabase, turnstile }: Pick<Settings, 'supabase' | 'turnstile'>,
  timeoutMs = TIMEOUT_MS,
): Promise<string | undefined> {
  if (supabase === undefined) return undefined;
  try {
    const response = await fetch(`${supabase.url}/functions/v1${PROVIDER_PATH}`, {
      headers: { apikey: supabase.publishableKey },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return describeMismatch(turnstile ? 'turnstile' : 'proof_of_work', await response.json());
  } catch {
    return undefined;
  }
}
