import { statSync } from 'node:fs';
import { join } from 'node:path';
import { consoleOf, type Io } from '../../process/command.ts';
import { UserError } from '../../process/user-error.ts';
import type { Project } from '../../server/backend-client/project.ts';
import { type Control, withDatabase } from '../../server/embedded/call-control.ts';
import { projectOf } from '../../server/embedded/with-project.ts';
import { countOffers } from '../shared/count-offers.ts';
import { embeddedDataDir } from '../shared/embedded-data-dir.ts';

/** The data folder of made-up offers, apart from the owner's: they could not be taken out of there, and would be reported. */
export const DEMO_FOLDER = '.data-demo';

const DAY_MS = 24 * 3_600_000;

/** What to do where the folder is so old that offers of the demo are overdue; undefined before. */
export function describeAge(folder: string, now: number): string | undefined {
  // Written once, with the folder.
  const days = Math.floor((now - statSync(join(folder, 'secrets.json')).mtimeMs) / DAY_MS);
  if (days < 1) return undefined;
  const age = days === 1 ? '1 day' : `${days} days`;
  return `The offers of ${DEMO_FOLDER} were made ${age} ago, so that some are overdue. For new ones, end npm run demo and remove that folder.`;
}

/**
 * Makes the data folder of the demo.
 * @param fill adds offers, and returns how many
 * @throws UserError where it holds offers, or with a hosted project
 */
export async function fillDemoFolder(io: Io, fill: (project: Project) => Promise<number>): Promise<void> {
  embeddedDataDir(io);
  const { log, error: report } = consoleOf(io);
  const make = async (control: Control) => {
    const project = projectOf(control);
    const present = await project.call('count_offers', {});
    if (present > 0) {
      throw new UserError(
        `${DEMO_FOLDER} holds ${countOffers(present)} already. To make others, end npm run demo and remove that folder.`,
      );
    }
    const count = await fill(project);
    log(`Added ${count.toLocaleString('en-US')} made-up offers to ${DEMO_FOLDER}.`);
  };
  await withDatabase(join(io.cwd(), DEMO_FOLDER), make, { mayMake: true, report });
}
