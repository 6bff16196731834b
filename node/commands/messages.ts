/** `npm run messages -- test | status | resume`: tries the settings of messages, and shows or continues what is queued. */

import { ownAccent } from '../../src/branding/design-tokens.ts';
import { loadBranding } from '../../src/branding/load-branding.ts';
import { loadCatalogue } from '../../src/catalogue/load.ts';
import { siteUrlOf } from '../../supabase/functions/deliver/site-url.ts';
import { publishedSettings } from '../built-site/publication.ts';
import { wrongCommand } from '../config/did-you-mean.ts';
import { readOptions } from '../config/read-options.ts';
import { readSettings, type Settings } from '../config/settings.ts';
import { withProject } from '../embedded-backend/with-project.ts';
import { readMessageState, resumeMessages } from '../hosted-project/messages.ts';
import { sendTestMessages } from './send-test-messages.ts';
import './report-errors.ts';

const USAGE = 'Please say what to do: npm run messages -- test, status or resume.';

const COMMANDS = new Map(Object.entries({ test, status, resume }));

const [command = '', ...more] = process.argv.slice(2);
const run = COMMANDS.get(command);
if (!run) throw wrongCommand(command, COMMANDS.keys(), USAGE);
readOptions({ args: more }, `The command ${command} takes no arguments.`);
await run(readSettings());

async function test({ messages, adminHost, port }: Settings): Promise<void> {
  const { settings } = loadCatalogue();
  const site = {
    siteUrl: siteUrlOf(messages, { adminHost, hosts: settings.hosts }, port),
    language: settings.languages[0],
    settings: publishedSettings(settings, ownAccent(loadBranding().tokens)),
  };
  if (!(await sendTestMessages(messages, site))) process.exitCode = 1;
}

async function status(settings: Settings): Promise<void> {
  const state = await withProject(settings, (project) => readMessageState(project));
  console.log(`Sent: ${state.sent}. Queued: ${state.queued}. Not sent: ${state.failed}.`);
  if (state.paused > 0) {
    console.log(`Held back since the restore: ${state.paused}. Send them with: npm run messages -- resume`);
  }
  if (state.reason !== null) console.log(`The last response to a failed try: ${state.reason}`);
}

async function resume(settings: Settings): Promise<void> {
  const resumed = await withProject(settings, resumeMessages);
  const count = resumed === 1 ? '1 message' : `${resumed} messages`;
  const when = 'within a minute, or once the product runs.';
  console.log(resumed === 0 ? 'No message was held back.' : `${count} will be sent ${when}`);
}
