import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthChangeEvent, Session } from '@supabase/supabase-js';
import { createNow } from './now.ts';

const page = new EventTarget();
Object.assign(globalThis, { document: page });

const SERVER = Date.UTC(2026, 10, 20);

for (const behind of [-600_000, 0, 600_000, 7_200_000, -34_560_000_000]) {
  test(`the time is the server’s where the browser’s clock is ${behind} ms behind, and goes on with it`, (t) => {
    t.mock.timers.enable({ apis: ['Date', 'setInterval'], now: SERVER - behind });
    let emit: (event: AuthChangeEvent, session: Session | null) => void = () => {};
    const auth = {
      onAuthStateChange(callback: typeof emit) {
        emit = callback;
      },
    };
    const { $now } = createNow(auth as unknown as Parameters<typeof createNow>[0]);
    const stop = $now.listen(() => {});
    assert.equal($now.get(), SERVER - behind, 'not known yet');
    const access_token = `a.${btoa(JSON.stringify({ iat: SERVER / 1000 }))}.c`;
    const arrived = (SERVER - behind) / 1000;
    emit('TOKEN_REFRESHED', { access_token, expires_in: 600, expires_at: arrived + 600 } as Session);
    assert.equal($now.get(), SERVER);
    t.mock.timers.tick(59_999);
    assert.equal($now.get(), SERVER);
    t.mock.timers.tick(1);
    assert.equal($now.get(), SERVER + 60_000);
    // A session of the browser's storage, after a reload: it has arrived before.
    emit('INITIAL_SESSION', { access_token, expires_in: 600, expires_at: arrived + 600 } as Session);
    emit('SIGNED_OUT', null);
    emit('SIGNED_IN', { access_token: 'no token' } as Session);
    assert.equal($now.get(), SERVER + 60_000);
    t.mock.timers.setTime(Date.now() + 3_600_000);
    page.dispatchEvent(new Event('visibilitychange'));
    assert.equal($now.get(), SERVER + 3_660_000);
    stop();
  });
}
