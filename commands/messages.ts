/** `npm run messages -- test | status | resume`: tries the settings of messages, and shows or continues what is queued. */

import { describeProblem } from '#contract/server-problem.ts';
import { type Settings, settingsOf } from '../config/settings.ts';
import { commandOf, consoleOf, type Io, runAsProcess } from '../process/command.ts';
import { wrongCommand } from '../process/did-you-mean.ts';
import { readOptions } from '../process/read-options.ts';
import { withProject } from '../server/embedded/with-project.ts';
import { publishedSettings } from '../site-builder/built-site/publication.ts';
import { ownAccent } from '../src/branding/design-tokens.ts';
import { loadBranding } from '../src/branding/load-branding.ts';
import { catalogueFile } from '../src/catalogue/catalogue-file.ts';
import { loadCatalogue } from '../src/catalogue/load.ts';
import { siteUrlOf } from '../supabase/functions/deliver/site-url.ts';
import { sendTestMessages } from './messages/send-test-messages.ts';

const USAGE = 'Please say what to do: npm run messages -- test, status or resume.';

const COMMANDS = new Map<string, (settings: Settings, io: Io) => Promise<number>>(
  Object.entries({ test, status, resume }),
);

export const run = commandOf(async ([command = '', ...args], io) => {
  const act = COMMANDS.get(command);
  if (!act) throw wrongCommand(command, COMMANDS.keys(), USAGE);
  readOptions({ args }, `The command ${command} takes no arguments.`);
  return await act(settingsOf(io), io);
});

async function test({ messages, adminHost, port }: Settings, io: Io): Promise<number> {
  const { settings } = loadCatalogue(catalogueFile(io), io.cwd());
  const site = {
    siteUrl: siteUrlOf(messages, { adminHost, hosts: settings.hosts }, port),
    language: settings.languages[0],
    settings: publishedSettings(settings, ownAccent(loadBranding(io).tokens)),
  };
  return (await sendTestMessages(messages, site, io)) ? 0 : 1;
}

async function status(settings: Settings, io: Io): Promise<number> {
  const { log, error } = consoleOf(io);
  const state = await withProject(settings, (project) => project.call('read_message_state', {}), error);
  log(`Sent: ${state.sent}. Queued: ${state.queued}. Not sent: ${state.failed}.`);
  for (const problem of state.problems) log(describeProblem(problem));
  if (state.paused > 0) {
    log(`Held back since the restore: ${state.paused}. Send them with: npm run messages -- resume`);
  }
  if (state.reason !== null) log(`The last response to a failed try: ${state.reason}`);
  return 0;
}

async function resume(settings: Settings, io: Io): Promise<number> {
  const { log, error } = consoleOf(io);
  const resumed = await withProject(settings, (project) => project.call('resume_messages', {}), error);
  const count = resumed === 1 ? '1 message' : `${resumed} messages`;
  const when = 'within a minute, or once the product runs.';
  log(resumed === 0 ? 'No message was held back.' : `${count} will be sent ${when}`);
  return 0;
}

if (import.meta.main) await runAsProcess(run);
