import { settingsOf } from '../../config/settings.ts';
import type { Io } from '../../process/command.ts';
import { UserError } from '../../process/user-error.ts';

/** The embedded database's folder. @throws UserError with a hosted project: the product does not use what is left there */
export function embeddedDataDir(io: Io): string {
  const { dataDir, supabase } = settingsOf(io);
  if (supabase) {
    throw new UserError(
      'The offers are in the hosted project, which this command cannot reach: docs/hosted.md says what to use instead.',
    );
  }
  return dataDir;
}
