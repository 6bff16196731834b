/** `npm run messages -- test | status | resume`: tries the settings of messages, and shows or continues what is queued. */

import * as z from 'zod/mini';
import { loadCatalogue } from '../../src/catalogue/load.ts';
import { siteUrlOf } from '../../supabase/functions/deliver/site-url.ts';
import { readSettings, type Settings } from '../config/settings.ts';
import { UserError } from '../config/user-error.ts';
import { withDatabase } from '../embedded-backend/call-owner-tool.ts';
import type { MessageState } from '../embedded-backend/message-tools.ts';
import { callFor, openProject } from '../hosted-project/project.ts';
import { publishedSettings } from '../manifest/publication.ts';
import { readTool } from './read-tool.ts';
import { sendTestMessages } from './send-test-messages.ts';
import './report-errors.ts';

const StateSchema = z.object({
  queued: z.number(),
  paused: z.number(),
  failed: z.number(),
  sent: z.number(),
  reason: z.nullable(z.string()),
});

const USAGE = 'Please say what to do: npm run messages -- test, status or resume.';

const [command = '', ...more] = process.argv.slice(2);
const run = new Map(Object.entries({ test, status, resume })).get(command);
if (!run || more.length > 0) throw new UserError(USAGE);
await run(readSettings());

async function test({ messages, adminHost, port }: Settings): Promise<void> {
  const { settings } = loadCatalogue();
  const site = {
    siteUrl: siteUrlOf(messages, { adminHost, hosts: settings.hosts }, port),
    language: settings.languages[0],
    settings: publishedSettings(settings),
  };
  if (!(await sendTestMessages(messages, site))) process.exitCode = 1;
}

async function status({ dataDir, supabase }: Settings): Promise<void> {
  const state = supabase
    ? await callFor(openProject(supabase), StateSchema, 'read_message_state')
    : await withDatabase(dataDir, (control) => readTool<MessageState>(control, 'messages'));
  console.log(`Sent: ${state.sent}. Queued: ${state.queued}. Not sent: ${state.failed}.`);
  if (state.paused > 0) {
    console.log(`Held back since the restore: ${state.paused}. Send them with: npm run messages -- resume`);
  }
  if (state.reason !== null) console.log(`The last response to a failed try: ${state.reason}`);
}

async function resume({ dataDir, supabase }: Settings): Promise<void> {
  const { resumed } = supabase
    ? { resumed: await callFor(openProject(supabase), z.number(), 'resume_messages') }
    : await withDatabase(dataDir, (control) => readTool<{ resumed: number }>(control, 'resume-messages', ''));
  const count = resumed === 1 ? '1 message' : `${resumed} messages`;
  const when = supabase
    ? 'within a minute, by the project’s schedule.'
    : 'within 10 seconds, or once the product runs.';
  console.log(resumed === 0 ? 'No message was held back.' : `${count} will be sent ${when}`);
}
