import { answer, refuse } from '../_shared/answer.ts';
import { BOT_CHECK_ACTION } from '../_shared/contract/bot-check.ts';
import type { SiteHosts } from '../_shared/contract/hosts.ts';
import { issueChallenge } from '../_shared/proof-of-work.ts';
import type { Settings } from '../_shared/settings.ts';

/**
 * Issues a signed challenge for an offer for the domain of the query. It takes the server 64 hashes, no database and no
 * state, and therefore has no limit. Where Turnstile is the bot check there are none. Challenges to sign in come with
 * the rejections of `admin-auth`, which knows the account and how much work it needs.
 */
export async function respondWithChallenge(
  request: Request,
  { settings, site }: { settings: Settings; site: SiteHosts },
): Promise<Response> {
  const domain = new URL(request.url).searchParams.get('domain');
  if (settings.turnstile) return refuse(request, 'not_found');
  if (domain === null) return refuse(request, 'missing', { field: 'the domain' }, {}, { field: 'domain' });
  if (!site.names.has(domain)) return refuse(request, 'unknown_domain');
  return answer(request, 200, await issueChallenge(settings, { action: BOT_CHECK_ACTION, domain }, 0));
}
