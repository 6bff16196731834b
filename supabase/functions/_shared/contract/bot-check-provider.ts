/** Which bot check the functions expect, and what is wrong where the pages have the other one. */

/** Turnstile where TURNSTILE_SECRET_KEY is set, otherwise the proof of work. */
export type BotCheckProviderName = 'turnstile' | 'proof_of_work';

/** The path of the function that responds with it. */
export const PROVIDER_PATH = '/bot-check?show=provider';

/**
 * Describes what is wrong, and what to do; undefined where both sides agree.
 * @param pages the provider that is built into the pages
 * @param functions the response of the functions, as parsed from JSON; anything else is unknown, and nothing is said
 */
export function describeMismatch(pages: BotCheckProviderName, functions: unknown): string | undefined {
  const expected = (functions as { provider?: unknown } | null)?.provider;
  if ((expected !== 'turnstile' && expected !== 'proof_of_work') || expected === pages) return undefined;
  return pages === 'turnstile'
    ? 'No offer can be made: the pages use Turnstile, and the functions do not know its secret. Set TURNSTILE_SECRET_KEY ' +
        'among their secrets (npm run deploy:backend), or remove TURNSTILE_SITE_KEY and build again.'
    : 'No offer can be made: the functions expect Turnstile, and the pages do not have it. Set TURNSTILE_SITE_KEY and build ' +
        'again, or remove TURNSTILE_SECRET_KEY from the secrets of the functions.';
}
