/** `npm run messages -- test | status | resume`: tries the settings of messages, and shows or continues what is queued. */

import { loadCatalogue } from '../../src/catalogue/load.ts';
import { siteUrlOf } from '../../supabase/functions/deliver/site-url.ts';
import { reportAndExit } from '../config/report-and-exit.ts';
import { readSettings, type Settings } from '../config/settings.ts';
import { UserError } from '../config/user-error.ts';
import { callTool, withDatabase } from '../embedded-backend/call-owner-tool.ts';
import type { MessageState } from '../embedded-backend/message-tools.ts';
import { sendTestMessages } from './send-test-messages.ts';

const USAGE = 'Please say what to do: npm run messages -- test, status or resume.';

try {
  const [command = '', ...more] = process.argv.slice(2);
  if (more.length > 0) throw new UserError(USAGE);
  const settings = readSettings();
  if (settings.supabase) {
    throw new UserError(
      'The messages of a hosted project are sent by its functions: see docs/hosting.md for their secrets and for SQL that ' +
        'shows what is queued.',
    );
  }
  if (command === 'test')
    process.exitCode = (await sendTestMessages(
      settings.messages,
      siteUrlOf(
        settings.messages,
        { adminHost: settings.adminHost, hosts: loadCatalogue().settings.hosts },
        settings.port,
      ),
    ))
      ? 0
      : 1;
  else if (command === 'status') await showState(settings);
  else if (command === 'resume') await resume(settings);
  else throw new UserError(USAGE);
} catch (error) {
  reportAndExit(error);
}

async function showState({ dataDir }: Settings): Promise<void> {
  const state = await withDatabase(dataDir, async (control) => {
    return (await (await callTool(control, 'messages')).json()) as MessageState;
  });
  console.log(`Sent: ${state.sent}. Queued: ${state.queued}. Not sent: ${state.failed}.`);
  if (state.paused > 0) {
    console.log(`Held back since the restore: ${state.paused}. Send them with: npm run messages -- resume`);
  }
  if (state.reason !== null) console.log(`The last response to a failed try: ${state.reason}`);
}

async function resume({ dataDir }: Settings): Promise<void> {
  const { resumed } = await withDatabase(dataDir, async (control) => {
    return (await (await callTool(control, 'resume-messages', { method: 'POST' })).json()) as {
      resumed: number;
    };
  });
  const count = resumed === 1 ? '1 message' : `${resumed} messages`;
  console.log(
    resumed === 0
      ? 'No message was held back.'
      : `${count} will be sent within 10 seconds, or once the product runs.`,
  );
}
