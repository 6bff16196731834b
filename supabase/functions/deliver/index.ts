/** `deliver`: sends the messages that are due. Wiring only; see handler.ts. */
import { callDatabase } from '../_shared/call-database.ts';
import { linkUrl } from '../_shared/offer-link.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { listings, settings } from '../_shared/site.ts';
import { createDeliver } from './handler.ts';
import { createSend } from './send.ts';
import { siteUrlOf } from './site-url.ts';

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

export default serveFunction(
  {
    name: 'deliver',
    method: 'POST',
    key: 'secret',
    listings,
    // Wrong settings of messages are no reason for the other functions to reject requests.
    settings: { ...settings, problem: settings.problem ?? messagesProblem },
  },
  createDeliver({ messages, send, callDatabase }),
);
