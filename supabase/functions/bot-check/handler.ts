import { answer, refuse } from '../_shared/answer.ts';
import { BOT_CHECK_ACTION, SIGN_IN_ACTION } from '../_shared/contract/bot-check.ts';
import type { SiteHosts } from '../_shared/contract/hosts.ts';
import { issueChallenge } from '../_shared/proof-of-work.ts';
import type { Settings } from '../_shared/settings.ts';

/**
 * Issues a signed challenge: `?domain=NAME` for an offer for that domain, `?purpose=sign-in` for an attempt to sign in.
 * It takes the server 64 hashes, no database and no state, and therefore has no limit. Where Turnstile is the bot check
 * there are no challenges for offers.
 */
export async function respondWithChallenge(
  request: Request,
  { settings, site }: { settings: Settings; site: SiteHosts },
): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const domain = query.get('domain');
  const purpose = query.get('purpose');
  if (purpose !== null && domain === null) {
    if (purpose !== SIGN_IN_ACTION) return refuse(request, 'unknown_field', { field: 'purpose' });
    return answer(request, 200, await issueChallenge(settings, { action: SIGN_IN_ACTION }, 0));
  }
  if (settings.turnstile) return refuse(request, 'not_found');
  if (domain === null) return refuse(request, 'missing', { field: 'the domain' }, {}, { field: 'domain' });
  if (purpose !== null) return refuse(request, 'unknown_field', { field: 'purpose' });
  if (!site.names.has(domain)) return refuse(request, 'unknown_domain');
  return answer(request, 200, await issueChallenge(settings, { action: BOT_CHECK_ACTION, domain }, 0));
}
