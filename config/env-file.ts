/** The file .env: settings for the product when it is started here. The environment wins over it. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { SECRET_SETTINGS, SETTING_NAMES, settingOf } from '#contract/settings.ts';
import { didYouMean } from '../process/did-you-mean.ts';
import { UserError } from '../process/user-error.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * Reads what the file sets; nothing where there is none. A name that is no setting is reported and ignored, because
 * another program may read it in the same file.
 * @param shown the file as messages name it
 * @throws UserError when it cannot be read, or a value is cut off at its #
 */
export function readEnvFile(
  file: string,
  warn: (message: string) => void,
  shown = file,
): Record<string, string> {
  const text = contentOf(file, shown);
  const env: Record<string, string> = {};
  for (const [name, value = ''] of Object.entries(parseEnv(text))) {
    if (!settingOf(name)) {
      const advice = didYouMean(name, SETTING_NAMES) || ' See .env.example.';
      warn(`Unknown setting ${name} in ${shown} (ignored).${advice}`);
      continue;
    }
    // Without the value: it may be a password.
    if (isCutOff(text, name)) {
      throw new UserError(`In ${shown}, ${name} ends at its #. Put the whole value in quotes: ${name}="…"`);
    }
    env[name] = value;
  }
  // Windows has other permissions and does not report these.
  const hasPermissions = process.platform !== 'win32';
  const isOpen =
    hasPermissions && SECRET_SETTINGS.some((name) => env[name]) && (statSync(file).mode & 0o077) !== 0;
  if (isOpen && !wasWarned(join(dirname(file), 'node_modules/.cache/env-warned'))) {
    warn(`${shown} holds secrets and can be read by other users of this machine. Run: chmod 600 ${shown}`);
  }
  return env;
}

/** Whether the last 24 hours had the warning, so that not every command repeats it. Without that folder every one does. */
function wasWarned(mark: string): boolean {
  const { mtimeMs = 0 } = statSync(mark, { throwIfNoEntry: false }) ?? {};
  if (Math.abs(Date.now() - mtimeMs) < DAY_MS) return true;
  try {
    if (existsSync(dirname(dirname(mark)))) mkdirSync(dirname(mark), { recursive: true });
    writeFileSync(mark, '');
  } catch {}
  return false;
}

/** Without quotes `#` begins a comment; directly after a letter it is meant as part of the value. */
function isCutOff(text: string, name: string): boolean {
  return new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=[^\\S\\n]*(?=[^\\s"'\`#])[^\\n#]*(?<=\\S)#`, 'm').test(
    text,
  );
}

function contentOf(file: string, shown: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    const why =
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? 'is not in UTF-8: save it with that encoding'
        : `could not be read (${code}): make it a file that this user may read`;
    throw new UserError(`${shown} ${why}.`);
  }
}
