/**
 * Browser tests of storefront and dashboard with the pages on one origin and a stand-in for a hosted project on another: those
 * with the tag @hosted, which make each kind of call, read its response and its errors, and a list of more rows than one
 * response of the data API. What a page makes of a response does not depend on the origin.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { leadTo, makeAdministrator } from '../../server/embedded/booted-database.fixture.ts';
import { openCommandSocket } from '../../server/embedded/command-socket.ts';
import { startHostedStandIn } from '../support/hosted-stand-in.ts';
import { NO_POSTGREST } from '../support/postgrest.ts';
import { ADMIN } from '../support/product.ts';
import type { HostedProjectPlace } from './hosted-pages.ts';

const SPECS = ['everyday/storefront', 'everyday/dashboard', 'dashboard-list'].map(
  (name) => `tests/browser/${name}.spec.ts`,
);

if (NO_POSTGREST) console.log(`Skipped: ${NO_POSTGREST}.`);
else await run();

async function run(): Promise<void> {
  const standIn = await startHostedStandIn();
  await makeAdministrator(standIn.database, ADMIN);
  const dataDir = mkdtempSync(join(tmpdir(), 'hosted-'));
  leadTo(dataDir);
  const socket = await openCommandSocket(standIn.fetch, dataDir);
  const place: HostedProjectPlace = {
    origin: standIn.url,
    dataDir,
    settings: {
      SUPABASE_URL: standIn.url,
      SUPABASE_PUBLISHABLE_KEY: standIn.publishableKey,
      SUPABASE_SECRET_KEY: standIn.secretKey,
    },
  };
  const child = spawn(
    process.execPath,
    [
      resolve('node_modules/@playwright/test/cli.js'),
      'test',
      ...SPECS,
      '--grep=@hosted',
      '--workers=1',
      ...process.argv.slice(2),
    ],
    { stdio: 'inherit', env: { ...process.env, HOSTED_PROJECT: JSON.stringify(place) } },
  );
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
  await socket.close();
  await standIn.stop();
  rmSync(dataDir, { recursive: true });
}
