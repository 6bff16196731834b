/** The steps of `npm run deploy:backend` that the Supabase CLI does, as values: printed with --dry-run, run without. */
import { managedSecrets } from '../../config/function-secrets.ts';
import type { Settings } from '../../config/settings.ts';
import { UserError } from '../../process/user-error.ts';
import { foldStatement } from '../../server/embedded/fold.ts';
import { MIGRATIONS, migrations } from '../../server/embedded/migrate.ts';
import { SECRET_FILE } from './secret-file.ts';

export interface CliStep {
  readonly title: string;
  /** Arguments of the CLI; they hold no secret. */
  readonly args: readonly string[];
  /** Content of a file with secrets, whose path is the last argument. */
  readonly file?: string;
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

/** The secrets of the project, by name. */
export interface ProjectSecrets {
  list(): Promise<string[]>;
  remove(names: string[]): Promise<void>;
}

/**
 * After the secrets were set: removes those that the settings no longer have. The CLI takes any response with status 200 for
 * a success when it changes secrets, a login page of the network as well.
 * @throws UserError unless the project lists what was set, and then nothing that was removed
 */
export async function removeUnsetSecrets(
  settings: Settings,
  { list, remove }: ProjectSecrets,
): Promise<void> {
  const managed = Object.entries(managedSecrets(settings));
  const listed = await list();
  const missing = managed.filter(([name, value]) => value && !listed.includes(name)).map(([name]) => name);
  if (missing.length > 0) throw secretsError('does not have', missing);
  const unset = managed.filter(([name, value]) => !value && listed.includes(name)).map(([name]) => name);
  if (unset.length === 0) return;
  await remove(unset);
  const after = await list();
  const left = unset.filter((name) => after.includes(name));
  if (left.length > 0) throw secretsError('still has', left);
}

function secretsError(problem: string, names: readonly string[]): UserError {
  return new UserError(
    `The project’s secrets are not as they were set: it ${problem} ${names.join(', ')}. Check that no proxy or login page of ` +
      'your network responds instead of the platform, then run npm run deploy:backend again.',
  );
}

const SECRETS_HINT = 'The account needs the right to change secrets.';

export function cliSteps(ref: string, secrets: Record<string, string>) {
  const remote = [`--remote=${ref}`, '--yes'];
  return {
    link: {
      title: 'Link the project',
      args: ['link', '--project-ref', ref, '--yes'],
      hint: 'Sign in with npx supabase login, or set SUPABASE_ACCESS_TOKEN; check that the project is yours and not paused.',
    },
    fold: {
      title: 'Put the baseline of the migrations in the place of those that it replaces (once)',
      args: ['db', 'query', ...remote, '--file', SECRET_FILE],
      file: foldStatement(migrations(MIGRATIONS)),
      hint:
        'To use the version of a commit, check it out and run npm run deploy:backend there. Where no commit is named, the ' +
        'account needs the right to run SQL.',
    },
    migrations: {
      title: 'Apply the migrations',
      args: ['db', 'push', ...remote],
      hint: 'Set SUPABASE_DB_PASSWORD where the CLI asks for it. A migration that failed changed nothing.',
    },
    config: {
      title: 'Push the settings of supabase/config.toml (sign-up off, tokens of 10 minutes)',
      args: ['config', 'push', ...remote],
      hint: 'The account needs the right to change the project’s settings.',
    },
    secrets: {
      title: `Set the functions’ secrets (${Object.keys(secrets).join(', ')})`,
      args: ['secrets', 'set', ...remote, '--env-file', SECRET_FILE],
      file: envFile(secrets),
      hint: SECRETS_HINT,
    },
    functions: {
      title: 'Deploy the functions',
      // With the API: without it, the CLI would need Docker.
      args: ['functions', 'deploy', '--use-api', ...remote],
      hint: 'Run it again: an upload may have been cut off. The functions before it still run.',
    },
  } satisfies Record<string, CliStep>;
}

export function listSecretsStep(ref: string): CliStep {
  const args = ['secrets', 'list', `--remote=${ref}`, '--output', 'json'];
  return { title: 'List the secrets', args, hint: SECRETS_HINT };
}

export function removeSecretsStep(ref: string, names: readonly string[]): CliStep {
  return {
    title: `Remove secrets that are not set any more (${names.join(', ')})`,
    args: ['secrets', 'unset', ...names, `--remote=${ref}`, '--yes'],
    hint: SECRETS_HINT,
  };
}

/** @param sql supabase/schedule-messages.sql */
export function scheduleStep(ref: string, sql: string, url: string, secretKey: string): CliStep {
  return {
    title: 'Schedule the messages (every minute)',
    args: ['db', 'query', `--remote=${ref}`, '--yes', '--file', SECRET_FILE],
    file: sql
      .replace('https://YOUR-PROJECT.supabase.co', () => url)
      .replace('sb_secret_YOUR-KEY', () => secretKey),
    hint: 'The extensions pg_cron and pg_net must be allowed in the project.',
  };
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
