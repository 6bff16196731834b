/** The file .env: settings for the product when it is started here. The environment wins over it. */
import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { SECRET_SETTINGS, SETTING_NAMES, settingOf } from '#contract/settings.ts';
import { UserError } from './user-error.ts';

const FILE = '.env';

/**
 * Reads what the file sets; nothing where there is none. A name that is no setting is reported and ignored, because
 * another program may read it in the same file.
 * @throws UserError when it cannot be read, or a value is cut off at its #
 */
export function readEnvFile(file = FILE, warn = console.warn): Record<string, string> {
  const text = contentOf(file);
  const env: Record<string, string> = {};
  for (const [name, value = ''] of Object.entries(parseEnv(text))) {
    if (!settingOf(name)) {
      const meant = SETTING_NAMES.find((known) => isOneLetterOff(known, name.toUpperCase()));
      const advice = meant ? `Did you mean ${meant}?` : 'See .env.example.';
      warn(`Unknown setting ${name} in ${file} (ignored). ${advice}`);
      continue;
    }
    // Without the value: it may be a password.
    if (isCutOff(text, name)) {
      throw new UserError(`In ${file}, ${name} ends at its #. Put the whole value in quotes: ${name}="…"`);
    }
    env[name] = value;
  }
  // Windows has other permissions and does not report these.
  const hasPermissions = process.platform !== 'win32';
  if (hasPermissions && SECRET_SETTINGS.some((name) => env[name]) && (statSync(file).mode & 0o077) !== 0) {
    warn(`${file} holds secrets and can be read by other users of this machine. Run: chmod 600 ${file}`);
  }
  return env;
}

/** One letter missing, too many or another, or two in the wrong order; also true for equal names. */
function isOneLetterOff(one: string, other: string): boolean {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const [a, b] = [one.slice(same), other.slice(same)];
  const isSwapped = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return isSwapped || a.slice(1) === b.slice(1) || a === b.slice(1) || a.slice(1) === b;
}

/** Without quotes `#` begins a comment; directly after a letter it is meant as part of the value. */
function isCutOff(text: string, name: string): boolean {
  return new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=[^\\S\\n]*(?=[^\\s"'\`#])[^\\n#]*(?<=\\S)#`, 'm').test(
    text,
  );
}

function contentOf(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    const why =
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? 'is not in UTF-8: save it with that encoding'
        : `could not be read (${code}): make it a file that this user may read`;
    throw new UserError(`${file} ${why}.`);
  }
}
