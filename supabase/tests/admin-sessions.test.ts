/** Begin and end of administrators' sessions, enforced by the database alone. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  ADMINISTRATOR,
  FUNCTIONS,
  OWNER,
  openAuthSession,
  openStage,
  type SignedIn,
  STRANGER,
  type Stage,
  signedIn,
  submit,
} from './cast.ts';
import { ENGINES } from './engines.ts';

for (const choice of ENGINES) {
  describe(`administrators’ sessions on ${choice.name}`, { skip: choice.missing }, () => {
    let stage: Stage;
    let admin: SignedIn;
    before(async () => {
      stage = await openStage(choice);
      await submit(stage);
    });
    beforeEach(() => {
      admin = signedIn(ADMINISTRATOR.userId);
    });
    after(() => stage.close());

    const open = async (actor = admin, hours = 12, idleMinutes = 120) => {
      const { userId, sessionId } = actor;
      if (sessionId) await openAuthSession(stage, actor);
      const parameters = [userId, sessionId, hours, idleMinutes];
      const statement = 'select public.open_admin_session($1, $2, $3, $4)';
      const opened = (await stage.value(FUNCTIONS, statement, parameters)) as { status: string };
      return opened.status === 'opened';
    };
    const extend = (actor = admin) => stage.value(actor, 'select public.extend_admin_session()');
    /** Moves the session's times back, as if so many minutes had gone by. */
    const age = (minutes: number, { sessionId } = admin) =>
      stage.as(
        OWNER,
        `update private.admin_sessions set opened_at = opened_at - $1::integer * interval '1 minute',
           refreshed_at = refreshed_at - $1::integer * interval '1 minute',
           ends_at = ends_at - $1::integer * interval '1 minute' where session_id = $2`,
        [minutes, sessionId],
      );
    const readsOffers = async (actor = admin) =>
      (await stage.as(actor, 'select id from public.offers')).length > 0;
    /** Stores a refresh token of the session. */
    const token = (revoked: boolean | null, { sessionId } = admin) =>
      stage.as(OWNER, 'insert into auth.refresh_tokens (token, session_id, revoked) values ($1, $2, $3)', [
        randomUUID(),
        sessionId,
        revoked,
      ]);
    const sessionOf = ({ sessionId } = admin) =>
      stage.as(OWNER, 'select * from private.admin_sessions where session_id = $1', [sessionId]);

    test('a signed-in administrator without an opened session reads and changes nothing', async () => {
      assert.equal(await readsOffers(), false);
      assert.equal(await open(), true);
      assert.equal(await readsOffers(), true);
      assert.equal(
        await readsOffers(signedIn(ADMINISTRATOR.userId)),
        false,
        'another session of the same user',
      );
      assert.equal(await readsOffers({ ...signedIn(STRANGER.userId), sessionId: admin.sessionId }), false);
    });

    test('a token without a session id has no rights', async () => {
      await open();
      for (const sessionId of ['', undefined as unknown as string]) {
        assert.equal(await readsOffers({ ...admin, sessionId }), false);
        assert.equal(await open({ ...admin, sessionId }), false);
      }
    });

    test('opening a session again keeps its times, and opening one of another user fails', async () => {
      await open();
      await age(60);
      const before = await sessionOf();
      assert.equal(await open(), true);
      assert.deepEqual(await sessionOf(), before);
      const other = signedIn();
      await stage.as(OWNER, 'insert into auth.users (id, email) values ($1, $2)', [
        other.userId,
        `${other.userId}@example.com`,
      ]);
      await stage.as(OWNER, 'insert into private.admins (user_id) values ($1)', [other.userId]);
      assert.equal(await open({ ...other, sessionId: admin.sessionId }), false);
      assert.equal(await readsOffers({ ...other, sessionId: admin.sessionId }), false);
      await stage.as(OWNER, 'delete from private.admins where user_id = $1', [other.userId]);
    });

    test('a user who is no administrator gets no session, and none is written', async () => {
      const user = signedIn(STRANGER.userId);
      assert.equal(await open(user), false);
      assert.deepEqual(await sessionOf(user), []);
      assert.equal(await extend(user), false);
    });

    test('a session ends so many hours after sign-in, however often it is refreshed', async () => {
      await open(admin, 2, 90);
      await age(60);
      assert.equal(await extend(), true);
      await age(59);
      assert.equal(await extend(), true);
      assert.equal(await readsOffers(), true);
      await age(2);
      assert.equal(await readsOffers(), false);
      assert.equal(await extend(), false);
    });

    test('a session ends when it is not refreshed in time, and stays ended', async () => {
      await open(admin, 12, 30);
      await age(29);
      assert.equal(await readsOffers(), true);
      await age(2);
      assert.equal(await readsOffers(), false);
      assert.equal(await extend(), false);
      assert.equal(await readsOffers(), false);
    });

    test('extending a session leaves every other session as it was', async () => {
      const other = signedIn(ADMINISTRATOR.userId);
      await open();
      await open(other);
      await age(60, other);
      const before = await sessionOf(other);
      await extend();
      assert.deepEqual(await sessionOf(other), before);
    });

    test('the list of pages reports an ended session, and never looks empty', async () => {
      const ended = { code: 'PT401', message: 'Your session has ended. Please sign in again.' };
      for (const actor of [admin, STRANGER]) {
        await assert.rejects(stage.as(actor, 'select public.offer_pages(10)'), ended);
      }
      await open();
      assert.equal(((await stage.value(admin, 'select public.offer_pages(10)')) as []).length, 1);
      await age(121);
      await assert.rejects(stage.as(admin, 'select public.offer_pages(10)'), ended);
    });

    test('a session stays ended when its administrator is revoked and granted the role again', async () => {
      const user = signedIn();
      await stage.as(OWNER, 'insert into auth.users (id, email) values ($1, $2)', [
        user.userId,
        'again@example.com',
      ]);
      const grant = () => stage.as(FUNCTIONS, 'select public.grant_administrator($1)', [user.userId]);
      await grant();
      assert.equal(await open(user), true);
      const revoke = () => stage.value(FUNCTIONS, 'select public.revoke_administrator($1)', [user.userId]);
      assert.equal(await revoke(), 'revoked');
      await grant();
      assert.equal(await readsOffers(user), false);
      assert.equal(await extend(user), false);
      assert.equal(await revoke(), 'revoked');
    });

    test('of two administrators who are revoked at once, one stays', async () => {
      const other = signedIn();
      await stage.as(OWNER, 'insert into auth.users (id, email) values ($1, $2)', [
        other.userId,
        'at-once@example.com',
      ]);
      await stage.as(FUNCTIONS, 'select public.grant_administrator($1)', [other.userId]);
      const statement = 'select public.revoke_administrator($1)';
      const revoke = (userId: string) => stage.value(FUNCTIONS, statement, [userId]);
      // PGlite has one connection.
      const first = stage.begin
        ? await stage.begin(FUNCTIONS, statement, [other.userId])
        : { commit: async () => {}, rows: await stage.as(FUNCTIONS, statement, [other.userId]) };
      let second: unknown;
      const revoked = revoke(ADMINISTRATOR.userId).then((outcome) => {
        second = outcome;
      });
      const waiting = `select count(*)::integer from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      while (second === undefined && (await stage.value(OWNER, waiting)) === 0);
      await first.commit();
      await revoked;
      assert.deepEqual([Object.values(first.rows[0] ?? {}), second], [['revoked'], 'last']);
    });

    test('a session ends when its user is deleted', async () => {
      const user = signedIn();
      await stage.as(OWNER, 'insert into auth.users (id, email) values ($1, $2)', [
        user.userId,
        'x@example.com',
      ]);
      await stage.as(OWNER, 'insert into private.admins (user_id) values ($1)', [user.userId]);
      assert.equal(await open(user), true);
      await stage.as(OWNER, 'delete from auth.users where id = $1', [user.userId]);
      assert.deepEqual(await sessionOf(user), []);
    });

    test('a session ends when auth deletes its own session, as sign-out does', async () => {
      await open();
      assert.equal(await readsOffers(), true);
      await stage.as(OWNER, 'delete from auth.sessions where id = $1', [admin.sessionId]);
      assert.equal(await readsOffers(), false);
      assert.equal(await extend(), false);
      await assert.rejects(stage.as(admin, 'select public.offer_pages(10)'), { code: 'PT401' });
      await stage.as(FUNCTIONS, 'select public.remove_expired()');
      assert.deepEqual(await sessionOf(), []);
    });

    test('a session ends when all its refresh tokens are revoked', async () => {
      const other = signedIn(ADMINISTRATOR.userId);
      await open(other);
      await token(false, other);
      await open();
      assert.equal(await readsOffers(), true, 'another session has a token');
      await token(true);
      assert.equal(await readsOffers(), false);
      await stage.as(FUNCTIONS, 'select public.remove_expired()');
      assert.deepEqual(await sessionOf(), []);
    });

    test('a session with one valid refresh token among revoked ones is open', async () => {
      // GoTrue leaves the column empty at times.
      for (const revoked of [false, null]) {
        admin = signedIn(ADMINISTRATOR.userId);
        await open();
        await token(true);
        await token(revoked);
        assert.equal(await readsOffers(), true);
        await stage.as(FUNCTIONS, 'select public.remove_expired()');
        assert.equal((await sessionOf()).length, 1);
      }
    });

    test('a session that auth has for another user opens nothing', async () => {
      await openAuthSession(stage, { ...admin, userId: STRANGER.userId });
      await open();
      assert.equal(await readsOffers(), false);
      await stage.as(FUNCTIONS, 'select public.remove_expired()');
      assert.deepEqual(await sessionOf(), []);
    });

    test('ending the sessions of an administrator ends none of another', async () => {
      const other = signedIn();
      await stage.as(OWNER, 'insert into auth.users (id, email) values ($1, $2)', [
        other.userId,
        'ends@example.com',
      ]);
      await stage.as(FUNCTIONS, 'select public.grant_administrator($1)', [other.userId]);
      for (const actor of [admin, other]) await open(actor);
      await stage.as(FUNCTIONS, 'select public.end_admin_sessions($1)', [other.userId]);
      assert.deepEqual([await readsOffers(), await readsOffers(other)], [true, false]);
      await stage.as(FUNCTIONS, 'select public.revoke_administrator($1)', [other.userId]);
    });

    test('remove_expired deletes ended sessions and windows, and no other', async () => {
      const [idle, over] = [signedIn(ADMINISTRATOR.userId), signedIn(ADMINISTRATOR.userId)];
      await open();
      await open(idle, 12, 30);
      await open(over, 1, 600);
      await age(31, idle);
      await age(61, over);
      const [past, present] = [randomUUID(), randomUUID()];
      for (const [key, end] of [
        [past, '-1 second'],
        [present, '1 minute'],
      ]) {
        await stage.as(
          OWNER,
          `insert into private.rate_limits values ('expiry', $1, 'epoch', now() + $2::interval, 1)`,
          [key, end],
        );
      }
      await stage.as(FUNCTIONS, 'select public.remove_expired()');
      assert.equal((await sessionOf()).length, 1);
      assert.deepEqual(await sessionOf(idle), []);
      assert.deepEqual(await sessionOf(over), []);
      assert.deepEqual(
        await stage.as(OWNER, `select key_hash from private.rate_limits where bucket = 'expiry'`),
        [{ key_hash: present }],
      );
    });
  });
}
