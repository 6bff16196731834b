/**
 * What the owner's commands and the gateway's process need of the database process and no hosted project has. Reached with
 * the secret key on the database's own loopback port; the gateway never forwards here.
 */
import type { PGlite } from '@electric-sql/pglite';
import * as z from 'zod/mini';
import { weaknessOf } from '../hosted-project/password-strength.ts';
import { isPasswordOf } from './auth-admin.ts';
import { countOffers } from './clean-copy.ts';
import type { OpenDatabase } from './open-database.ts';
import { assertRightResults, endOnWrongResults } from './self-check.ts';

/** What control calls work with. */
export interface ControlContext {
  readonly dataDir: string;
  readonly database: OpenDatabase;
  /** Runs work that may keep the database busy for long, without a watchdog reporting a fault. */
  duringMaintenance<Result>(work: () => Promise<Result>): Promise<Result>;
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
  { database: { sql }, duringMaintenance }: ControlContext,
): Promise<Response> {
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /control/check':
      await endOnWrongResults(sql);
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

/** On a busy machine the process may not respond to its probe while it sends a backup. */
function announceSending(
  response: Response,
  duringMaintenance: ControlContext['duringMaintenance'],
): Response {
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
