/** The steps of `npm run deploy:backend` that the Supabase CLI does, as values: printed with --dry-run, run without. */
import { MESSAGE_SETTINGS } from '#contract/message-settings.ts';
import type { Settings } from '../config/settings.ts';
import { UserError } from '../config/user-error.ts';

export interface CliStep {
  readonly title: string;
  /** Arguments of the CLI; they hold no secret. */
  readonly args: readonly string[];
  /** A file with secrets that the step reads: its path follows `option`. */
  readonly file?: { readonly option: string; readonly name: string; readonly content: string };
  /** What may be wrong where the step fails. */
  readonly hint: string;
}

/** The project's ref of 20 letters. @param given with --project-ref, where the URL is a domain of the owner's */
export function projectRef(url: string, given?: string): string {
  const ref = given ?? /^https:\/\/([a-z]{20})\.supabase\.co$/.exec(url)?.[1];
  if (ref !== undefined && /^[a-z]{20}$/.test(ref)) return ref;
  throw new UserError(
    'The project’s ref is not known: SUPABASE_URL is not https://REF.supabase.co. Add it, 20 letters as the project’s ' +
      'dashboard shows it: npm run deploy:backend -- --project-ref REF',
  );
}

/** What the functions get: settings that are set, by name. */
export function functionSecrets(settings: Settings): Record<string, string> {
  const all = Object.entries(managedSecrets(settings));
  return Object.fromEntries(all.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/** The secrets of the functions that the settings decide; others of the project are left alone. */
function managedSecrets(settings: Settings): Record<string, string | undefined> {
  const { adminHost, turnstile, sessionHours, sessionIdleMinutes, messageEnv } = settings;
  return {
    ADMIN_HOST: adminHost,
    SESSION_HOURS: String(sessionHours),
    SESSION_IDLE_MINUTES: String(sessionIdleMinutes),
    TURNSTILE_SECRET_KEY: turnstile?.secretKey,
    TURNSTILE_VERIFY_URL: turnstile?.secretKey && turnstile.verifyUrl,
    ...Object.fromEntries(MESSAGE_SETTINGS.map((name) => [name, messageEnv[name]])),
  };
}

/** Before the catalogue is published: the database, the platform's settings, and the functions' secrets. */
export function databaseSteps(ref: string, secrets: Record<string, string>): CliStep[] {
  return [
    {
      title: 'Link the project',
      args: ['link', '--project-ref', ref, '--yes'],
      hint: 'Sign in with npx supabase login, or set SUPABASE_ACCESS_TOKEN; check that the project is yours and not paused.',
    },
    {
      title: 'Apply the migrations',
      args: ['db', 'push', `--remote=${ref}`, '--yes'],
      hint: 'Set SUPABASE_DB_PASSWORD where the CLI asks for it. A migration that failed changed nothing.',
    },
    {
      title: 'Push the settings of supabase/config.toml (sign-up off, tokens of 10 minutes)',
      args: ['config', 'push', `--remote=${ref}`, '--yes'],
      hint: 'The account needs the right to change the project’s settings.',
    },
    {
      title: `Set the functions’ secrets (${Object.keys(secrets).join(', ')})`,
      args: ['secrets', 'set', `--remote=${ref}`, '--yes'],
      file: { option: '--env-file', name: 'secrets.env', content: envFile(secrets) },
      hint: 'The account needs the right to change secrets.',
    },
  ];
}

/**
 * Secrets of the project that this product set once, and that the settings no longer have. With the site key of Turnstile
 * alone, its secret was set in the project's dashboard, and stays.
 */
function secretsToRemove(present: readonly string[], settings: Settings): string[] {
  const keepsTurnstile = settings.turnstile?.secretKey === '';
  return Object.entries(managedSecrets(settings))
    .filter(([name, value]) => !value && !(keepsTurnstile && name.startsWith('TURNSTILE_')))
    .map(([name]) => name)
    .filter((name) => present.includes(name));
}

/**
 * The CLI takes any response with status 200 for a success when it changes secrets, a login page of the network as well.
 * @throws UserError unless the project lists those that were set, and none that was removed
 */
function assertSecrets(present: readonly string[], set: readonly string[], removed: readonly string[]): void {
  const missing = set.filter((name) => !present.includes(name));
  const left = removed.filter((name) => present.includes(name));
  if (missing.length === 0 && left.length === 0) return;
  const problems = [
    ...(missing.length > 0 ? [`it does not have ${missing.join(', ')}`] : []),
    ...(left.length > 0 ? [`it still has ${left.join(', ')}`] : []),
  ].join(', and ');
  throw new UserError(
    `The project’s secrets are not as they were set: ${problems}. Check that no proxy or login page of your network responds ` +
      'instead of the platform, then run npm run deploy:backend again.',
  );
}

/** The secrets of the project, by name. */
export interface ProjectSecrets {
  list(): Promise<string[]>;
  remove(names: string[]): Promise<void>;
}

/**
 * After the secrets were set: removes those that the settings no longer have.
 * @throws UserError unless the project lists what was set, and then nothing that was removed
 */
export async function removeUnsetSecrets(
  settings: Settings,
  { list, remove }: ProjectSecrets,
): Promise<void> {
  const present = await list();
  assertSecrets(present, Object.keys(functionSecrets(settings)), []);
  const unset = secretsToRemove(present, settings);
  if (unset.length === 0) return;
  await remove(unset);
  assertSecrets(await list(), [], unset);
}

export function removeSecretsStep(ref: string, names: readonly string[]): CliStep {
  return {
    title: `Remove secrets that are not set any more (${names.join(', ')})`,
    args: ['secrets', 'unset', ...names, `--remote=${ref}`, '--yes'],
    hint: 'The account needs the right to change secrets.',
  };
}

/** After the catalogue is published: functions of a new version read it. */
export function functionSteps(ref: string): CliStep[] {
  return [
    {
      title: 'Deploy the functions',
      // With the API: without it, the CLI would need Docker.
      args: ['functions', 'deploy', '--use-api', `--remote=${ref}`, '--yes'],
      hint: 'Run it again: an upload may have been cut off. The functions before it still run.',
    },
  ];
}

/** @param sql supabase/schedule-messages.sql */
export function scheduleStep(ref: string, sql: string, url: string, secretKey: string): CliStep {
  return {
    title: 'Schedule the messages (every minute)',
    args: ['db', 'query', `--remote=${ref}`, '--yes'],
    file: {
      option: '--file',
      name: 'schedule.sql',
      content: sql
        .replace('https://YOUR-PROJECT.supabase.co', () => url)
        .replace('sb_secret_YOUR-KEY', () => secretKey),
    },
    hint: 'The extensions pg_cron and pg_net must be allowed in the project.',
  };
}

/** The line that is printed, and can be typed. A file with secrets is named only. */
export function commandLine({ args, file }: CliStep): string {
  return ['supabase', ...args, ...(file ? [file.option, `(${file.name}, never stored)`] : [])].join(' ');
}

/** Quoted by a character that the value does not have, because the CLI knows no escapes. */
function envFile(secrets: Record<string, string>): string {
  return Object.entries(secrets)
    .map(([name, value]) => {
      const quote = ["'", '"', '`'].find((one) => !value.includes(one));
      if (quote === undefined || value.includes('\n')) {
        throw new UserError(
          `${name} has a line break, or all of ' " and \`: set it in the project’s dashboard instead.`,
        );
      }
      return `${name}=${quote}${value}${quote}\n`;
    })
    .join('');
}
