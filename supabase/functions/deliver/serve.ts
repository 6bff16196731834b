import type { FunctionContext } from '../_shared/context.ts';
import { keyedHash } from '../_shared/keyed-hash.ts';
import { linkUrl } from '../_shared/offer-link.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { createDeliver } from './handler.ts';
import { createSend } from './send.ts';
import { siteUrlOf } from './site-url.ts';

export function serveDeliver(context: FunctionContext) {
  const { settings, listings } = context;
  const { messages, messagesProblem } = settings;
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
        linkOf: ({ id, domain_name, language, link }) =>
          published &&
          link &&
          linkUrl(settings.secretKey, published, { id, domain: domain_name, language }, link),
      };
    },
  });
  return serveFunction(
    // Wrong settings of messages are no reason for the other functions to reject requests.
    { ...context, settings: { ...settings, problem: settings.problem ?? messagesProblem } },
    { name: 'deliver', method: 'POST', key: 'secret' },
    createDeliver({
      ...context,
      messages,
      send,
      hashOf: (text) => keyedHash(settings.secretKey, 'message settings', text),
    }),
  );
}
