/** What the owner's commands and the server need of the embedded project and no hosted project has. With the secret key. */
import type { PGlite } from '@electric-sql/pglite';
import * as z from 'zod/mini';
import { weaknessOf } from '../backend-client/password-strength.ts';
import { isPasswordOf } from './auth-admin.ts';
import { countOffers } from './clean-copy.ts';
import type { OpenDatabase } from './open-database.ts';
import type { DuringMaintenance, ProjectOptions } from './project-options.ts';
import { assertRightResults } from './self-check.ts';

/** What control calls work with. */
export interface ControlContext {
  readonly dataDir: string;
  readonly database: OpenDatabase;
  readonly onFailure: NonNullable<ProjectOptions['onFailure']>;
  readonly duringMaintenance: DuringMaintenance;
}

const PasswordSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  password: z.string(),
  siteWords: z.array(z.string()),
});

export interface JudgedPassword {
  /** Whether it opens the account already. */
  readonly isPresent: boolean;
  /** Of password-strength.ts. */
  readonly weakness?: string | undefined;
}

export async function control(
  request: Request,
  url: URL,
  { database: { sql }, onFailure, duringMaintenance }: ControlContext,
): Promise<Response> {
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /control/check':
      await checkResults(sql, onFailure);
      return new Response(null, { status: 204 });
    case 'GET /control/backup':
      return announceSending(await duringMaintenance(() => backup(sql)), duringMaintenance);
    case 'POST /control/judge-password': {
      const { id, email, password, siteWords } = PasswordSchema.parse(await request.json());
      return Response.json({
        isPresent: await isPasswordOf(sql, id, password),
        weakness: await weaknessOf(password, email, siteWords),
      } satisfies JudgedPassword);
    }
    default:
      return Response.json({ error: 'There is no such call.' }, { status: 404 });
  }
}

/** For the watchdog, which notices itself that a check does not end. */
async function checkResults(sql: PGlite, onFailure: ControlContext['onFailure']): Promise<void> {
  try {
    await assertRightResults(sql);
  } catch (error) {
    // Without the message of a database error, which may repeat personal data.
    const { code, message } = error as { code?: string; message: string };
    onFailure('database_out_of_step', { reason: code ?? message });
    throw error;
  }
}

/** On a busy machine the process may not respond to its probe while it sends a backup. */
function announceSending(response: Response, duringMaintenance: DuringMaintenance): Response {
  const { readable, writable } = new TransformStream<Uint8Array>();
  // Ends early where the reader is gone.
  void duringMaintenance(async () => await response.body?.pipeTo(writable).catch(() => {}));
  return new Response(readable, response);
}

/** Number of offers just before and just after the files of a backup were read: `least-most`. */
export const OFFERS_HEADER = 'x-offers';

/**
 * Archives PGlite's files as they are between two statements. Not compressed, because requests wait meanwhile, and
 * compression would take most of the time.
 */
async function backup(sql: PGlite): Promise<Response> {
  await assertRightResults(sql);
  await sql.exec('checkpoint');
  const before = await countOffers(sql);
  const archive = await sql.dumpDataDir('none');
  const after = await countOffers(sql);
  return new Response(archive, {
    headers: {
      'content-type': 'application/x-tar',
      [OFFERS_HEADER]: `${Math.min(before, after)}-${Math.max(before, after)}`,
    },
  });
}
