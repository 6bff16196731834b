import { readSettings } from '../config/settings.ts';
import { UserError } from '../config/user-error.ts';

/** The embedded database's folder. @throws UserError with a hosted project: the product does not use what is left there */
export function embeddedDataDir(): string {
  const { dataDir, supabase } = readSettings();
  if (supabase) {
    throw new UserError(
      'The offers are in the hosted project, which this command cannot reach: docs/hosted.md says what to use instead.',
    );
  }
  return dataDir;
}
