/** @supabase/lite with its data API, on a copy of the booted database: nearly what a hosted project is, without our own calls. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { App } from '@supabase/lite';
import { createPgliteConnection } from '@supabase/lite/pglite';
import { copyBooted, KEYS } from '../../server/embedded/booted-database.fixture.ts';
import { EXTENSIONS } from '../../server/embedded/extensions.ts';

export interface Lite {
  readonly sql: PGlite;
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export async function openLite(): Promise<Lite> {
  const folder = mkdtempSync(join(tmpdir(), 'lite-'));
  await copyBooted(join(folder, 'database'));
  const connection = await createPgliteConnection({
    url: join(folder, 'database'),
    pgliteOptions: { extensions: EXTENSIONS },
  });
  // The first request of its data API grants everything to every role, unless it takes that for done.
  Object.assign(connection, { rlsState: 'active' });
  const app = new App({
    connection,
    api: { enabled: true, schemas: ['public'], max_rows: 1000 },
    studio: { enabled: false },
    auth: {
      enabled: true,
      jwt_secret: KEYS.jwtSecret,
      publishable_key: KEYS.publishableKey,
      secret_key: KEYS.secretKey,
    },
  });
  await connection.driver.waitReady;
  await app.ensureSystemSchema();
  return {
    sql: connection.driver,
    fetch: (request) => app.fetch(request, { peerAddress: null }),
    close: async () => {
      await connection.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
