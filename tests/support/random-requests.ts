/** Random requests to the data API, with random roles and claims. */
import { CALLS } from '#contract/calls.ts';
import { ADMINISTRATOR, STRANGER } from '../../supabase/tests/cast.ts';
import { HOSTILE_TEXTS } from '../abuse/hostile-texts.ts';
import fc from './fast-check.ts';

export interface RandomRequest {
  readonly sent: { readonly method: string; readonly path: string; readonly body?: object };
  readonly role: 'anon' | 'authenticated';
  readonly claims: Readonly<Record<string, unknown>>;
  readonly key: 'public' | 'secret';
}

const ids = [ADMINISTRATOR, STRANGER].flatMap(({ userId, sessionId }) => [userId, sessionId]);
const text = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS, ...ids, 'service_role', 'postgres', 'anon'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
/** As a token can have them, and never the administrator’s user and session together. */
const claims = fc
  .record(
    {
      sub: fc.oneof(fc.constantFrom(...ids), text),
      session_id: fc.oneof(text, fc.jsonValue({ maxDepth: 2 })),
      role: text,
      aud: text,
      x: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  .filter(({ sub, session_id }) => sub !== ADMINISTRATOR.userId || session_id !== ADMINISTRATOR.sessionId);
const value = fc.oneof(
  text,
  fc.constantFrom('*', 'eq.pending', 'is.false', `eq.${ids[0]}`, 'created_at.desc'),
);
const parameter = fc.oneof(
  fc.constantFrom(['select', '*'], ['order', 'created_at.desc'], ['limit', '5'], ['held', 'is.false']),
  fc.tuple(fc.constantFrom('select', 'order', 'limit', 'id', 'status', 'held', 'or', 'x'), value),
);
const query = fc
  .uniqueArray(parameter, { maxLength: 3, selector: ([name]) => name })
  .map((all) => new URLSearchParams(all.map(([name = '', one = '']) => [name, one.toWellFormed()])));
const body = fc.dictionary(
  fc.constantFrom('filter', 'offer_id', 'email', 'names', 'page_size', 'x'),
  fc.jsonValue(),
);
const call = fc.constantFrom(...Object.entries(CALLS));
const sent = fc.oneof(
  fc.record({ method: fc.constantFrom('GET', 'HEAD', 'DELETE'), path: query.map((one) => `offers?${one}`) }),
  fc.record({
    method: fc.constant('PATCH'),
    path: query.map((one) => `offers?id=eq.${ids[0]}&${one}`),
    body: fc.constant({ status: 'accepted' }),
  }),
  call.map(([name, { sample }]) => ({ method: 'POST', path: `rpc/${name}`, body: sample as object })),
  fc.record({ method: fc.constant('POST'), path: call.map(([name]) => `rpc/${name}`), body }),
);
export const randomRequest: fc.Arbitrary<RandomRequest> = fc.record({
  sent: sent as fc.Arbitrary<RandomRequest['sent']>,
  role: fc.constantFrom('anon' as const, 'authenticated' as const),
  claims,
  key: fc.constantFrom('public' as const, 'secret' as const),
});

/** Requests that get through to the database, whatever the random ones do. */
export const REACHING: RandomRequest[] = [
  {
    sent: { method: 'GET', path: 'offers?' },
    role: 'authenticated',
    claims: { sub: STRANGER.userId },
    key: 'public',
  },
  { sent: { method: 'GET', path: 'offers?' }, role: 'anon', claims: {}, key: 'public' },
  {
    sent: { method: 'POST', path: 'rpc/remove_expired', body: {} },
    role: 'authenticated',
    claims: {},
    key: 'secret',
  },
  {
    sent: { method: 'POST', path: 'rpc/remove_expired', body: {} },
    role: 'authenticated',
    claims: {},
    key: 'public',
  },
];
