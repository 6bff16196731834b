import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { callAuth, copyBooted, KEYS, makeAdministrator, openBooted } from './booted-database.fixture.ts';
import { takeDataFolder } from './data-folder.ts';
import { type DatabaseKeys, type OpenDatabase, openDatabase } from './open-database.ts';
import { PROJECT_URL } from './project-options.ts';
import { serveProject } from './serve-project.ts';
import { removeExpired } from './sessions.ts';

const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };
const dataDir = mkdtempSync(join(tmpdir(), 'sessions-'));
let database: OpenDatabase;
before(async () => {
  database = await openBooted();
  await makeAdministrator(database, OWNER);
});
after(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('a session survives a restart, and ends when the keys change or another version starts first', async () => {
  const opened = await opening(async (database) => {
    await makeAdministrator(database, OWNER);
    return await requestToken(database, 'password', OWNER);
  });
  assert.equal(opened.status, 200);
  const renewed = await opening((database) => renew(database, opened));
  assert.equal(renewed.status, 200);

  rmSync(join(dataDir, 'secrets.json'));
  const again = await opening(async (database) => {
    for (const former of [renewed, opened]) {
      assert.equal((await renew(database, former)).status, 400);
    }
    return await requestToken(database, 'password', OWNER);
  });
  const last = await opening(async (database, keys) => {
    const session = await renew(database, again);
    assert.equal(session.status, 200, 'a session under the new keys');
    // As a version stores it whose sessions must end.
    const former = createHash('sha256').update(`1\n${keys.jwtSecret}`).digest('hex');
    await database.sql.query('update embedded.opened_with set fingerprint = $1', [former]);
    return session;
  });
  assert.equal((await opening((database) => renew(database, last))).status, 400);
});

test('removeExpired deletes expired sessions, in auth too', async () => {
  const { sql } = database;
  const ids = { opened: randomUUID(), ended: randomUUID(), fresh: randomUUID(), never: randomUUID() };
  const users = await sql.query<{ id: string }>('select id from auth.users');
  const user = users.rows[0]?.id;
  for (const [name, id] of Object.entries(ids)) {
    const age = name === 'fresh' ? '10 seconds' : '2 minutes';
    await sql.query(
      `insert into auth.sessions (id, user_id, created_at) values ($1, $2, now() - $3::interval)`,
      [id, user, age],
    );
    await sql.query('insert into auth.refresh_tokens (token, session_id) values ($1::text, $2)', [id, id]);
    if (name !== 'opened' && name !== 'ended') continue;
    await sql.query(
      `insert into private.admin_sessions (session_id, user_id, ends_at, idle_minutes)
         values ($1, $2, now() + $3::interval, 120)`,
      [id, user, name === 'ended' ? '-1 second' : '1 hour'],
    );
  }
  await removeExpired(sql);
  const left = async (statement: string) => {
    const { rows } = await sql.query<{ id: string }>(statement);
    return Object.entries(ids).flatMap(([name, id]) => (rows.some((row) => row.id === id) ? [name] : []));
  };
  const removed = {
    sessions: await left('select id::text from auth.sessions'),
    tokens: await left('select session_id::text as id from auth.refresh_tokens'),
    opened: await left('select session_id as id from private.admin_sessions'),
  };
  assert.deepEqual(removed, {
    sessions: ['opened', 'fresh'],
    tokens: ['opened', 'fresh'],
    opened: ['opened'],
  });
});

test('administrator rights end with sign-out and with the reuse of a refresh token', async () => {
  const bearer = (token: string) => ({ apikey: KEYS.publishableKey, authorization: `Bearer ${token}` });
  const { fetch } = serveProject(database, KEYS, { dataDir: '' });
  const pagesWith = (token: string) => {
    const headers = { ...bearer(token), 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: '{"page_size":10}' };
    return fetch(`${PROJECT_URL}/rest/v1/rpc/offer_pages`, init);
  };
  const signIn = async () => {
    const opened = await requestToken(database, 'password', OWNER);
    const claims = JSON.parse(
      Buffer.from(opened.access_token.split('.')[1] ?? '', 'base64url').toString(),
    ) as { sub: string; session_id: string };
    await database.sql.query('select public.open_admin_session($1, $2, 12, 120)', [
      claims.sub,
      claims.session_id,
    ]);
    assert.equal((await pagesWith(opened.access_token)).status, 200);
    return opened;
  };
  const refresh = (refresh_token: string) => renew(database, { refresh_token });

  await database.sql.exec('delete from private.admin_sessions');
  const { access_token } = await signIn();
  assert.equal((await callAuth(database, 'logout?scope=local', {}, access_token)).status, 204);
  assert.equal((await pagesWith(access_token)).status, 401, 'after sign-out');

  const first = await signIn();
  const second = await refresh(first.refresh_token);
  const third = await refresh(second.refresh_token);
  assert.equal((await pagesWith(third.access_token)).status, 200);
  await database.sql.exec(`update auth.refresh_tokens set updated_at = updated_at - interval '11 seconds'`);
  assert.equal((await refresh(first.refresh_token)).status, 400);
  assert.equal((await refresh(third.refresh_token)).status, 400);
  assert.equal((await pagesWith(third.access_token)).status, 401, 'after the reuse of a refresh token');
  await removeExpired(database.sql);
  const { rows } = await database.sql.query('select 1 from private.admin_sessions');
  assert.deepEqual(rows, []);
});

function renew(database: OpenDatabase, { refresh_token }: { refresh_token: string }) {
  return requestToken(database, 'refresh_token', { refresh_token });
}

/** Opens the database of the folder, as one run of the product does. */
async function opening<Result>(
  act: (database: OpenDatabase, keys: DatabaseKeys) => Promise<Result>,
): Promise<Result> {
  const folder = await takeDataFolder(dataDir);
  try {
    if (!existsSync(folder.database)) await folder.build(copyBooted);
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

async function requestToken(
  database: OpenDatabase,
  grant: string,
  body: object,
): Promise<{ status: number; access_token: string; refresh_token: string }> {
  const response = await callAuth(database, `token?grant_type=${grant}`, body);
  const { access_token = '', refresh_token = '' } = (await response.json()) as Record<string, string>;
  return { status: response.status, access_token, refresh_token };
}
