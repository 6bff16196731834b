import { DeliverBodySchema } from '../_shared/call-deliver.ts';
import type { FunctionContext } from '../_shared/context.ts';
import { keyedHash } from '../_shared/keyed-hash.ts';
import { linkUrl } from '../_shared/offer-link.ts';
import { limitOf } from '../_shared/rate-limits.ts';
import { readJson } from '../_shared/read-json.ts';
import { Rejection } from '../_shared/rejection.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { createDeliver, type Deliver } from './handler.ts';
import { createSend } from './send.ts';
import { siteUrlOf } from './site-url.ts';

const BODY_BOUNDS = { maxBytes: 1024, timeoutMs: 5_000 };

/** For calls in the same process. */
export function deliverOf(context: Omit<FunctionContext, 'deliver'>): Deliver {
  const { settings, listings } = context;
  const { messages } = settings;
  const send = createSend({
    messages,
    readSite: async () => {
      // Without a published catalogue a message has another link, which is better than no message.
      const published = await listings.read().catch(() => undefined);
      const site = published?.site ?? { adminHost: settings.adminHost, hosts: [] };
      return {
        siteUrl: siteUrlOf(messages, site, settings.localPort),
        language: published?.language,
        settings: published?.settings ?? {},
        linkOf: ({ id, domain_name, language, link, move }) =>
          published &&
          link &&
          linkUrl(settings.secretKey, published, { id, domain: domain_name, language }, link, move),
      };
    },
  });
  return createDeliver({
    ...context,
    messages,
    send,
    replyLimits: [limitOf(settings, 'reply.all', '')],
    hashOf: (text) => keyedHash(settings.secretKey, 'message settings', text),
  });
}

export function serveDeliver(context: FunctionContext, deliver = deliverOf(context)) {
  const { settings } = context;
  return serveFunction(
    // Wrong settings of messages are no reason for the other functions to reject requests.
    { ...context, settings: { ...settings, problem: settings.problem ?? settings.messagesProblem } },
    { name: 'deliver', method: 'POST', key: 'secret' },
    async (request) => {
      const { data } = DeliverBodySchema.safeParse(await readJson(request, BODY_BOUNDS));
      if (!data) throw new Rejection('malformed');
      return { status: 200, body: await deliver(data) };
    },
  );
}
