import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../tests/support/fast-check.ts';
import { CHANGE_OFFER, NO_QUERY, oneOf, READ_OFFERS, readQuery } from './rest-query.ts';

const ID = '0190a5b0-1111-4222-8333-444455556666';
const AT = '2026-11-23T01:02:03.123456+00:00';

/** A query as supabase-js writes it. */
const query = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString();

test('the queries of the specification and the dashboard are parsed unchanged', () => {
  for (const parameters of [
    { select: '*', order: 'created_at.desc' },
    { select: '*', order: 'created_at.desc,id.desc', limit: '100' },
    { select: '*', id: `eq.${ID}`, limit: '1' },
    { select: '*', held: 'is.true', low: 'eq.false' },
    { select: '*', limit: '1000', offset: '1000' },
    { or: `(created_at.lt."${AT}",and(created_at.eq."${AT}",id.lte."${ID}"))` },
  ]) {
    assert.equal(readQuery(query(parameters), READ_OFFERS), query(parameters));
  }
  const change = query({ id: `eq.${ID}`, status: 'eq.pending', select: 'id' });
  assert.equal(readQuery(change, CHANGE_OFFER), change);
  assert.equal(readQuery('', NO_QUERY), '');
  assert.equal(readQuery('scope=local', { scope: oneOf('local') }), 'scope=local');
});

test('optional quotes of a key are parsed and written', () => {
  assert.equal(
    readQuery(query({ or: `(created_at.lt.${AT},and(created_at.eq.${AT},id.lt.${ID}))` }), READ_OFFERS),
    query({ or: `(created_at.lt."${AT}",and(created_at.eq."${AT}",id.lt."${ID}"))` }),
  );
});

test('a query outside the grammar is rejected', () => {
  const off = [
    'select=*&select=*',
    'grant%5Ftype=refresh_token',
    'select=password',
    'select=*,offers(*)',
    'select=id,id',
    'select=count()',
    'select=id::text',
    'order=created_at.desc.nullsfirst&or=()',
    'order=private.admins',
    'limit=-1',
    'limit=1e9',
    'limit=',
    'status=eq.pending',
    'id=not.is.null',
    `id=EQ.${ID}`,
    `created_at=eq.${AT}`,
    `id=gt.${ID}`,
    `or=(created_at.gt."${AT}",and(created_at.eq."${AT}",id.gte."${ID}"))`,
    'offset=-5',
    'customer_email=eq.a',
    'customer_name=ilike.*a*',
    'or=(id.is.null)',
    'and=(id.is.null)',
    'not.or=(id.is.null)',
    'columns=id',
    'on_conflict=id',
    'select',
    '=*',
    '&',
    'select=*&',
    'SELECT=*',
    'select =*',
    'select=%',
    'select=%00',
    '__proto__=1',
    'constructor=1',
    'a;select=*',
    `select=*&x=${'a'.repeat(1_100)}`,
  ];
  for (const one of off) assert.equal(readQuery(one, READ_OFFERS), undefined, one);
  assert.equal(readQuery('limit=1', CHANGE_OFFER), undefined);
  assert.equal(readQuery(`id=gt.${ID}`, CHANGE_OFFER), undefined);
  assert.equal(readQuery('a=1', NO_QUERY), undefined);
});

test('another parser reads every rewritten query the same', () => {
  const name = fc.constantFrom(
    'select',
    'order',
    'limit',
    'id',
    'status',
    'created_at',
    'or',
    'held',
    'nope',
  );
  const value = fc.oneof(
    fc.constantFrom('*', 'id', 'created_at.desc', '5', `eq.${ID}`, 'eq.pending', `lt.${AT}`, 'is.true'),
    fc.string({ maxLength: 12 }),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 5 }), (parameters) => {
      const written = readQuery(new URLSearchParams(parameters).toString(), READ_OFFERS);
      if (written === undefined) return;
      // The same parameters, each once.
      assert.deepEqual([...new URLSearchParams(written)], parameters);
      assert.equal(readQuery(written, READ_OFFERS), written);
    }),
  );
});
