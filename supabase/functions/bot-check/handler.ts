import { assertForSale } from '../_shared/assert-for-sale.ts';
import type { BotCheckProviderName } from '../_shared/contract/bot-check-provider.ts';
import type { Listings } from '../_shared/listings.ts';
import { issueChallenge } from '../_shared/proof-of-work.ts';
import { Rejection } from '../_shared/rejection.ts';
import type { Result } from '../_shared/response.ts';
import type { Settings } from '../_shared/settings.ts';

/**
 * Issues a signed challenge for an offer for the domain of the query. It costs 64 hashes, and for a known name no call of
 * the database, and therefore has no limit. Rejected where Turnstile is the bot check. With `?show=provider` it returns
 * which bot check is used, for pages that were built with the other one.
 * @throws Rejection
 */
export async function respondWithChallenge(
  request: Request,
  { settings, listings }: { settings: Settings; listings: Listings },
): Promise<Result> {
  const { searchParams } = new URL(request.url);
  if (searchParams.get('show') === 'provider') {
    const provider: BotCheckProviderName = settings.turnstile ? 'turnstile' : 'proof_of_work';
    return { status: 200, body: { provider } };
  }
  const domain = searchParams.get('domain');
  if (settings.turnstile) throw new Rejection('not_found');
  if (domain === null) {
    throw new Rejection('missing', { values: { field: 'the domain' }, body: { field: 'domain' } });
  }
  await assertForSale(listings, domain);
  return { status: 200, body: await issueChallenge(settings, domain) };
}
