/**
 * `npm run deploy:backend [-- --dry-run]`: brings a hosted Supabase project up to date with the Supabase CLI, publishes
 * the catalogue, and checks the project from outside. Safe to repeat.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { isForSale } from '../../src/catalogue/is-for-sale.ts';
import { readOptions } from '../config/read-options.ts';
import { reportInterrupt } from '../config/report-interrupt.ts';
import { DEFAULT_ADMIN_EMAIL, readSettings, type Settings } from '../config/settings.ts';
import { UserError } from '../config/user-error.ts';
import { addAdministrator, readAdministrators } from '../hosted-project/administrators.ts';
import {
  assertSecrets,
  type CliStep,
  commandLine,
  databaseSteps,
  functionSecrets,
  functionSteps,
  projectRef,
  removeSecretsStep,
  scheduleStep,
  secretsToRemove,
} from '../hosted-project/deploy-steps.ts';
import { checkFromOutside } from '../hosted-project/outside-check/check-from-outside.ts';
import { type HostedProject, openProject } from '../hosted-project/project.ts';
import { installCli, readFromCli, runCli } from '../hosted-project/supabase-cli.ts';
import { publisherOf } from '../publisher/publisher.ts';
import { buildSite, prepareCatalogue } from '../site-builder/build-site.ts';
import { showPassword } from './show-password.ts';
import { siteWords } from './site-words.ts';
import './report-errors.ts';

const USAGE =
  'npm run deploy:backend knows --dry-run (prints the steps), --project-ref REF, and --check (only checks from outside).';

const STOPPED =
  'Stopped. Steps that were finished stay done: run npm run deploy:backend again. If it was checking the project, look for ' +
  'an offer marked as a test of the deployment, and erase it.';

const SecretsSchema = z.array(z.object({ name: z.string() }));

const SCHEDULE = new URL('../../supabase/schedule-messages.sql', import.meta.url);

type Hosted = NonNullable<Settings['supabase']> & { secretKey: string };

reportInterrupt(STOPPED);
const { values } = readOptions(
  {
    options: {
      'dry-run': { type: 'boolean' },
      check: { type: 'boolean' },
      'project-ref': { type: 'string' },
    },
  },
  USAGE,
);
const settings = readSettings();
const hosted = hostedOf(settings);
prepareCatalogue();
if (values.check) await check(settings, hosted);
else {
  const ref = projectRef(hosted.url, values['project-ref']);
  if (values['dry-run']) printSteps(settings, hosted, ref);
  else await deploy(settings, hosted, ref);
}

/** @throws UserError where a setting is missing */
function hostedOf({ supabase }: Settings): Hosted {
  if (supabase?.secretKey === undefined) {
    throw new UserError(
      'Set SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY and SUPABASE_SECRET_KEY in .env first (Project Settings, API Keys).',
    );
  }
  return { ...supabase, secretKey: supabase.secretKey };
}

function printSteps(settings: Settings, hosted: Hosted, ref: string): void {
  const lines = [
    ...databaseSteps(ref, functionSecrets(settings)).map(describe),
    'Publish the catalogue\n  npm run build',
    ...stepsOfFunctions(settings, hosted, ref).map(describe),
    `Make sure of an administrator\n  npm run admin -- add ${settings.adminEmail === DEFAULT_ADMIN_EMAIL ? 'EMAIL (set ADMIN_EMAIL)' : settings.adminEmail}`,
    'Check the project from outside\n  npm run deploy:backend -- --check',
  ];
  console.log(lines.map((line, at) => `${at + 1}. ${line}`).join('\n'));
  console.log('\nNothing was done: run it without --dry-run.');
}

async function deploy(settings: Settings, hosted: Hosted, ref: string): Promise<void> {
  const secrets = functionSecrets(settings);
  const project = openProject(hosted);
  await installCli();
  for (const step of databaseSteps(ref, secrets)) await runStep(step);
  const present = await listSecrets(ref);
  assertSecrets(present, Object.keys(secrets), []);
  const unset = secretsToRemove(present, settings);
  if (unset.length > 0) {
    await runStep(removeSecretsStep(ref, unset));
    assertSecrets(await listSecrets(ref), [], unset);
  }

  console.log('\n— Publish the catalogue');
  await buildSite(settings, { publish: publisherOf(project) });
  console.log(`Published the catalogue to ${hosted.url}.`);
  for (const step of stepsOfFunctions(settings, hosted, ref)) await runStep(step);
  await ensureAdministrator(settings, project);
  await check(settings, hosted);
}

async function listSecrets(ref: string): Promise<string[]> {
  const listed = await readFromCli(['secrets', 'list', `--remote=${ref}`, '--output', 'json']);
  const parsed = SecretsSchema.safeParse(listed);
  if (parsed.success) return parsed.data.map(({ name }) => name);
  throw new UserError('supabase secrets list printed no list of secrets. Run npm run deploy:backend again.');
}

/** @throws UserError naming the step and what may be wrong */
async function runStep(step: CliStep): Promise<void> {
  console.log(`\n— ${describe(step)}`);
  if ((await runCli(step)) === 0) return;
  throw new UserError(
    `This step failed: ${step.title} (see above). ${step.hint} Nothing after it was done: run npm run deploy:backend again.`,
  );
}

async function ensureAdministrator(settings: Settings, project: HostedProject): Promise<void> {
  console.log('\n— Make sure of an administrator');
  const { adminEmail, adminPassword, dataDir } = settings;
  const emails = (await readAdministrators(project)).map(({ email }) => email);
  const isThere = emails.some((email) => email.toLowerCase() === adminEmail.toLowerCase());
  if (isThere || (adminEmail === DEFAULT_ADMIN_EMAIL && emails.length > 0)) {
    console.log(`Administrators: ${emails.join(', ')}. For a new password: npm run admin -- password EMAIL`);
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
    siteWords(prepareCatalogue().domains.map(({ name }) => name)),
  );
  console.log(`${email} is an administrator now.`);
  if (adminPassword !== undefined) return;
  const remedy = `For another one run: npm run admin -- password ${email}`;
  console.log(showPassword(password, dataDir, remedy).join('\n'));
}

async function check(settings: Settings, hosted: Hosted): Promise<void> {
  console.log('\n— Check the project from outside');
  const { domains, settings: owners } = prepareCatalogue();
  const host = owners.hosts[0];
  const domain = domains.find(isForSale)?.name;
  const { adminEmail, adminPassword } = settings;
  const findings = checkFromOutside({
    ...hosted,
    project: openProject(hosted),
    siteOrigin: `https://${domain ?? host ?? 'localhost'}`,
    adminOrigin: `https://${settings.adminHost ?? host ?? 'localhost'}`,
    domain,
    usesTurnstile: settings.turnstile !== undefined,
    administrator: adminPassword === undefined ? undefined : { email: adminEmail, password: adminPassword },
  });
  const counts = { passed: 0, failed: 0, 'left out': 0 };
  for await (const one of findings) {
    counts[one.status] += 1;
    if (one.status !== 'passed') console.log(`${one.status}: ${one.what}. ${one.why}`);
  }
  console.log(`Passed: ${counts.passed}. Failed: ${counts.failed}. Left out: ${counts['left out']}.`);
  if (counts.failed > 0)
    throw new UserError('The project is not as it has to be: see the failed checks above.');
}

/** After the catalogue is published. */
function stepsOfFunctions({ messageEnv }: Settings, { url, secretKey }: Hosted, ref: string): CliStep[] {
  if (Object.keys(messageEnv).length === 0) return functionSteps(ref);
  return [...functionSteps(ref), scheduleStep(ref, readFileSync(SCHEDULE, 'utf8'), url, secretKey)];
}

function describe(step: CliStep): string {
  return `${step.title}\n  ${commandLine(step)}`;
}
