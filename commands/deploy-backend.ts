/**
 * `npm run deploy:backend [-- --dry-run]`: brings a hosted Supabase project up to date with the Supabase CLI, publishes
 * the catalogue, and checks the project from outside. Safe to repeat.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { functionSecrets } from '../config/function-secrets.ts';
import { DEFAULT_ADMIN_EMAIL, type Settings, settingsOf } from '../config/settings.ts';
import { commandOf, consoleOf, type Io, runAsProcess } from '../process/command.ts';
import { readOptions } from '../process/read-options.ts';
import { reportInterrupt } from '../process/report-interrupt.ts';
import { UserError } from '../process/user-error.ts';
import { addAdministrator, readAdministrators } from '../server/backend-client/administrators.ts';
import { type HostedProject, openHosted } from '../server/backend-client/project.ts';
import { publisherOf } from '../server/catalogue-publication/publisher.ts';
import { showPassword } from '../server/start/show-password.ts';
import { siteWords } from '../server/start/site-words.ts';
import { buildSite, prepareCatalogue } from '../site-builder/build-site.ts';
import { isForSale } from '../src/catalogue/related-domains.ts';
import {
  type CliStep,
  cliSteps,
  listSecretsStep,
  projectRef,
  removeSecretsStep,
  removeUnsetSecrets,
  scheduleStep,
} from './hosted/deploy-steps.ts';
import { checkFromOutside } from './hosted/outside-check/check-from-outside.ts';
import { parseJson } from './hosted/outside-check/requests.ts';
import { installCli, runCli } from './hosted/supabase-cli.ts';

const USAGE =
  'npm run deploy:backend knows --dry-run (prints the steps), --project-ref REF, and --check (only checks from outside).';

const STOPPED =
  'Stopped. Steps that were finished stay done: run npm run deploy:backend again. It also erases the offer of a check that ' +
  'did not end.';

const SecretsSchema = z.array(z.object({ name: z.string() }));

const SCHEDULE = join(import.meta.dirname, '../supabase/schedule-messages.sql');

type Hosted = NonNullable<Settings['supabase']> & { secretKey: string };

export const run = commandOf(async (args, io) => {
  const { values } = readOptions(
    {
      args,
      options: {
        'dry-run': { type: 'boolean' },
        check: { type: 'boolean' },
        'project-ref': { type: 'string' },
      },
    },
    USAGE,
  );
  const { log } = consoleOf(io);
  const settings = settingsOf(io);
  const hosted = hostedOf(settings);
  prepareCatalogue(io);
  if (values.check) await check(settings, hosted, io);
  else {
    const steps = stepsOf(settings, hosted, projectRef(hosted.url, values['project-ref']), io);
    if (values['dry-run']) {
      log(steps.map(({ title, line }, at) => `${at + 1}. ${title}\n  ${line}`).join('\n'));
      log('\nNothing was done: run it without --dry-run.');
    } else {
      await installCli();
      for (const { title, line, run } of steps) {
        log(`\n— ${title}\n  ${line}`);
        await run();
      }
    }
  }
});

/** @throws UserError where a setting is missing */
function hostedOf({ supabase }: Settings): Hosted {
  if (supabase?.secretKey === undefined) {
    throw new UserError(
      'Set SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY and SUPABASE_SECRET_KEY in .env first (Project Settings, API Keys).',
    );
  }
  return { ...supabase, secretKey: supabase.secretKey };
}

/** In their order: functions of a new version read the published catalogue. */
function stepsOf(settings: Settings, hosted: Hosted, ref: string, io: Io) {
  const step = (one: CliStep) => cliStep(one, io.env);
  const { adminEmail, messages } = settings;
  const { url, secretKey } = hosted;
  const project = openHosted(hosted);
  const email = adminEmail === DEFAULT_ADMIN_EMAIL ? 'EMAIL (set ADMIN_EMAIL)' : adminEmail;
  const { link, fold, migrations, config, secrets, functions } = cliSteps(ref, functionSecrets(settings));
  const schedule = scheduleStep(ref, readFileSync(SCHEDULE, 'utf8'), url, secretKey);
  const hasMessages = messages.mail !== undefined || messages.webhooks.urls.length > 0;
  return [
    ...[link, fold, migrations, config, secrets].map(step),
    {
      title: 'Remove secrets that are not set any more',
      line: `supabase secrets unset NAME … --remote=${ref} --yes`,
      run: () =>
        removeUnsetSecrets(settings, {
          list: () => listSecrets(ref, io.env),
          remove: async (names) => void (await runStep(removeSecretsStep(ref, names), io.env)),
        }),
    },
    {
      title: 'Publish the catalogue',
      line: 'npm run build',
      run: async () => {
        await buildSite(settings, { publish: publisherOf(project) });
        consoleOf(io).log(`Published the catalogue to ${url}.`);
      },
    },
    ...[functions, ...(hasMessages ? [schedule] : [])].map(step),
    {
      title: 'Make sure of an administrator',
      line: `npm run admin -- add ${email}`,
      run: () => ensureAdministrator(settings, project, io),
    },
    {
      title: 'Check the project from outside',
      line: 'npm run deploy:backend -- --check',
      run: () => check(settings, hosted, io),
    },
  ];
}

function cliStep(step: CliStep, env: NodeJS.ProcessEnv) {
  return { title: step.title, line: `supabase ${step.args.join(' ')}`, run: () => runStep(step, env) };
}

/** Returns its output. @throws UserError naming the step and what may be wrong */
async function runStep(
  { title, hint, ...step }: CliStep,
  env: NodeJS.ProcessEnv,
  stdout?: 'pipe',
): Promise<string> {
  const { code, output } = await runCli(step, env, stdout);
  if (code === 0) return output;
  throw new UserError(
    `This step failed: ${title} (see above). ${hint} Nothing after it was done: run npm run deploy:backend again.`,
  );
}

async function listSecrets(ref: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const output = await runStep(listSecretsStep(ref), env, 'pipe');
  const parsed = SecretsSchema.safeParse(parseJson(output));
  if (parsed.success) return parsed.data.map(({ name }) => name);
  throw new UserError('supabase secrets list printed no list of secrets. Run npm run deploy:backend again.');
}

async function ensureAdministrator(settings: Settings, project: HostedProject, io: Io): Promise<void> {
  const { log } = consoleOf(io);
  const { adminEmail, adminPassword, dataDir } = settings;
  const emails = (await readAdministrators(project)).map(({ email }) => email);
  const isThere = emails.some((email) => email.toLowerCase() === adminEmail.toLowerCase());
  if (isThere || (adminEmail === DEFAULT_ADMIN_EMAIL && emails.length > 0)) {
    log(`Administrators: ${emails.join(', ')}. For a new password: npm run admin -- password EMAIL`);
    return;
  }
  if (adminEmail === DEFAULT_ADMIN_EMAIL) {
    throw new UserError('Set ADMIN_EMAIL to your email address, then run npm run deploy:backend again.');
  }
  // A new machine has no data folder, and showPassword may write to it.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const { email, password } = await addAdministrator(
    project,
    adminEmail,
    adminPassword,
    siteWords(prepareCatalogue(io).domains.map(({ name }) => name)),
  );
  log(`${email} is an administrator now.`);
  if (adminPassword !== undefined) return;
  const remedy = `For another one run: npm run admin -- password ${email}`;
  log(showPassword(password, dataDir, remedy, io).join('\n'));
}

async function check(settings: Settings, hosted: Hosted, io: Io): Promise<void> {
  const { log } = consoleOf(io);
  const { domains, settings: owners } = prepareCatalogue(io);
  const host = owners.hosts[0];
  const domain = domains.find(isForSale)?.name;
  const { adminEmail, adminPassword } = settings;
  const findings = checkFromOutside({
    ...hosted,
    project: openHosted(hosted),
    siteOrigin: `https://${domain ?? host ?? 'localhost'}`,
    adminOrigin: `https://${settings.adminHost ?? host ?? 'localhost'}`,
    domain,
    usesTurnstile: settings.turnstile !== undefined,
    administrator: adminPassword === undefined ? undefined : { email: adminEmail, password: adminPassword },
  });
  const counts = { passed: 0, failed: 0, 'left out': 0 };
  for await (const one of findings) {
    counts[one.status] += 1;
    if (one.status !== 'passed') log(`${one.status}: ${one.what}. ${one.why}`);
  }
  log(`Passed: ${counts.passed}. Failed: ${counts.failed}. Left out: ${counts['left out']}.`);
  if (counts.failed > 0)
    throw new UserError('The project is not as it has to be: see the failed checks above.');
}

if (import.meta.main) {
  reportInterrupt(STOPPED);
  await runAsProcess(run);
}
