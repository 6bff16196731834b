/** Where the owner's commands work: on the hosted project of the settings, or else on the embedded database. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { Rejection } from '../../supabase/functions/_shared/rejection.ts';
import { toResponse } from '../../supabase/functions/_shared/response.ts';
import { enrol } from '../../supabase/functions/admin-auth/factor.ts';
import { openEmbedded, openHosted, type Project } from '../backend-client/project.ts';
import { type Control, findRunning, withDatabase } from './call-control.ts';
import { PROJECT_URL } from './project-options.ts';

type Place = Pick<Settings, 'supabase' | 'dataDir'>;

/**
 * Uses it. An embedded database that does not run is started for that time.
 * @param report prints that it waits for another process
 * @throws UserError of withDatabase and openHosted
 */
export async function withProject<Result>(
  { supabase, dataDir }: Place,
  use: (project: Project) => Promise<Result>,
  report?: (line: string) => void,
): Promise<Result> {
  return supabase ? await use(openHosted(supabase)) : await withEmbedded(dataDir, use, report);
}

/** Uses the database that npm run transfer left in the data folder; undefined where there is none. */
export async function withLeftDatabase<Result>(
  { supabase, dataDir }: Place,
  use: (project: Project) => Promise<Result>,
  report?: (line: string) => void,
): Promise<Result | undefined> {
  return supabase && existsSync(join(dataDir, 'database'))
    ? await withEmbedded(dataDir, use, report)
    : undefined;
}

/** Finds it without starting anything. Returns a reason where it cannot be reached. */
export async function findProject({ supabase, dataDir }: Place): Promise<Project | string> {
  if (supabase) return supabase.secretKey ? openHosted(supabase) : 'SUPABASE_SECRET_KEY is not set here.';
  const running = await findRunning(dataDir);
  return running
    ? projectOf(running)
    : `this user reaches no running product with the data folder ${dataDir}.`;
}

export function projectOf(control: Control): Project {
  const project = openEmbedded({ url: PROJECT_URL, ...control });
  const here = { secretKey: control.secretKey, callDatabase: project.call };
  return {
    ...project,
    // In this process, since the functions need not run: their secret key is the data folder's, and the clock is this one.
    enrolFactor: async (body) => {
      const result = await enrol(here, body).catch((error: unknown) => {
        if (error instanceof Rejection) return error;
        throw error;
      });
      return await toResponse(result, '', undefined).json();
    },
  };
}

async function withEmbedded<Result>(
  dataDir: string,
  use: (project: Project) => Promise<Result>,
  report?: (line: string) => void,
) {
  return await withDatabase(dataDir, (control) => use(projectOf(control)), { ...(report && { report }) });
}
