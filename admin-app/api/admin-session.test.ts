import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extendSession } from './admin-session.ts';
import { clientOf } from './fake-backend.ts';

test('the session is extended by a call, which returns whether it is valid', async () => {
  for (const [response, expected] of [
    [() => Response.json(true), true],
    [() => Response.json(false), false],
    [() => Response.json({ message: 'JWT expired' }, { status: 401 }), false],
    [() => Response.json({}, { status: 404 }), undefined],
    [() => Response.json({}, { status: 503 }), undefined],
    [() => new Response('<h1>Hotel</h1>'), undefined],
    [
      () => {
        throw new TypeError('Failed to fetch');
      },
      undefined,
    ],
  ] as const) {
    const client = clientOf(({ url, method, body }) => {
      assert.equal(`${method} ${url.pathname}`, 'POST /rest/v1/rpc/extend_admin_session');
      assert.deepEqual(body, {});
      return response();
    });
    assert.equal(await extendSession(client), expected);
  }
});
