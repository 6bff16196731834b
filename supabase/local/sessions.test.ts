import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ensureAdministrator } from './administrator.ts';
import { takeDataFolder } from './data-folder.ts';
import { type DatabaseKeys, type OpenDatabase, openDatabase } from './open-database.ts';

const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };
const dataDir = mkdtempSync(join(tmpdir(), 'sessions-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));

test('a session outlives a stop of the product, and ends with the keys that it was opened under', async () => {
  const opened = await opening(async (database, keys) => {
    await ensureAdministrator(database, keys, OWNER.email, OWNER.password);
    return await askForToken(database, keys, 'password', OWNER);
  });
  assert.equal(opened.status, 200);
  const renewed = await renewing(opened.refresh_token);
  assert.equal(renewed.status, 200);

  rmSync(join(dataDir, 'secrets.json'));
  assert.equal((await renewing(renewed.refresh_token)).status, 400);
  assert.equal((await renewing(opened.refresh_token)).status, 400);
  const again = await opening((database, keys) => askForToken(database, keys, 'password', OWNER));
  assert.equal((await renewing(again.refresh_token)).status, 200, 'a new one is as good as any');
});

function renewing(refresh_token: string) {
  return opening((database, keys) => askForToken(database, keys, 'refresh_token', { refresh_token }));
}

/** Does something with the database of the folder, as one run of the product. */
async function opening<Result>(
  act: (database: OpenDatabase, keys: DatabaseKeys) => Promise<Result>,
): Promise<Result> {
  const folder = await takeDataFolder(dataDir);
  try {
    const keys = { ...folder.secrets, publishableKey: 'sb_publishable_t' };
    const database = await openDatabase(folder, keys);
    try {
      return await act(database, keys);
    } finally {
      await database.close();
    }
  } finally {
    folder.release();
  }
}

async function askForToken(
  database: OpenDatabase,
  keys: DatabaseKeys,
  grant: string,
  body: object,
): Promise<{ status: number; refresh_token: string }> {
  const response = await database.fetch(
    new Request(`http://embedded/auth/v1/token?grant_type=${grant}`, {
      method: 'POST',
      headers: { apikey: keys.secretKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  const { refresh_token = '' } = (await response.json()) as { refresh_token?: string };
  return { status: response.status, refresh_token };
}
