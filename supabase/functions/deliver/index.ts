/** `deliver`: sends the messages that are due. Wiring only; see handler.ts. */

import { callDatabase } from '../_shared/call-database.ts';
import catalogueFile from '../_shared/catalogue.json' with { type: 'json' };
import { type CatalogueFile, siteHostsOf } from '../_shared/catalogue.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { readSettings } from '../_shared/settings.ts';
import { createDeliver } from './handler.ts';
import { createSend } from './send.ts';
import { siteUrlOf } from './site-url.ts';

const settings = readSettings();
const { messages, messagesProblem } = settings;
const catalogue: CatalogueFile = catalogueFile;
const site = siteHostsOf(catalogue, settings.adminHost);
const send = createSend({ messages, siteUrl: siteUrlOf(messages, site), language: catalogue.language });

export default serveFunction(
  {
    name: 'deliver',
    method: 'POST',
    key: 'secret',
    site,
    // Wrong settings of messages are no reason for the other functions to reject requests.
    settings: { ...settings, problem: settings.problem ?? messagesProblem },
  },
  createDeliver({ messages, send, callDatabase }),
);
