/** The checks that judge what was read before. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkProxies, targetsOf, targetsOfName } from './hosts.ts';
import { checkDisk, judgeDataApi, judgeOrderSubmit, judgeSpace, judgeUnanswered } from './product.ts';

test('a disk with less than 1 GB or 5 % free is a warning', () => {
  assert.equal(judgeSpace(0.9e9, 10e9).status, 'warn');
  assert.equal(judgeSpace(4e9, 100e9).status, 'warn');
  assert.equal(judgeSpace(1.1e9, 10e9).status, 'ok');
  assert.equal(checkDisk('/a folder/that a start makes').subject, '/a folder/that a start makes');
});

test('offers that are new for more than a day are a warning with the age of the oldest', () => {
  const now = Date.parse('2026-11-23T12:00:00Z');
  assert.equal(judgeUnanswered({ count: 0, oldest: null }, undefined, now).status, 'ok');
  const one = judgeUnanswered({ count: 1, oldest: '2026-11-22T11:00:00Z' }, undefined, now);
  assert.match(`${one.status} ${one.message}`, /^warn 1 offer has been new .* for 1 day:/);
  const { status, message } = judgeUnanswered({ count: 3, oldest: '2026-11-20T11:00:00Z' }, undefined, now);
  assert.equal(status, 'warn');
  assert.match(message, /^3 offers have been new for more than 24 hours, the oldest for 3 days/);
  assert.match(judgeUnanswered({ count: 0, oldest: null }, '3 days').message, /for more than 3 days/);
});

test('TRUSTED_PROXIES has to fit how visitors reach the pages', () => {
  const project = {
    url: 'https://project.example',
    publishableKey: 'sb_publishable_x',
    secretKey: undefined,
  };
  const judge = (
    trustedProxies: number,
    over: ('https' | 'http')[],
    port = 4321,
    supabase?: typeof project,
  ) => checkProxies({ trustedProxies, port, supabase }, 80, over);
  assert.equal(judge(1, ['https']).status, 'ok');
  assert.match(
    judge(0, ['https']).message,
    /^A proxy is in front and TRUSTED_PROXIES is 0, .* set TRUSTED_PROXIES=1/,
  );
  assert.equal(judge(0, ['http']).status, 'fail', 'http on another port than PORT is a proxy');
  assert.equal(judge(0, ['http'], 80).status, 'ok');
  assert.match(
    judge(1, ['http'], 80).message,
    /^TRUSTED_PROXIES is 1, and visitors reach .* without a proxy/,
  );
  assert.equal(judge(0, []).status, 'skip');
  assert.equal(judge(0, ['https'], 4321, project).status, 'skip');
});

test('offers that visitors can read, and functions that do not respond as they should, fail', () => {
  const [order, data] = [judgeOrderSubmit, judgeDataApi].map(
    (judge) => (status: number) => judge({ status, body: '' }).status,
  );
  assert.deepEqual(
    [400, 401, 404, 500].map((status) => order?.(status)),
    ['ok', 'fail', 'fail', 'fail'],
  );
  assert.deepEqual(
    [401, 200, 404, 503].map((status) => data?.(status)),
    ['ok', 'fail', 'fail', 'fail'],
  );
  assert.match(judgeDataApi('ECONNREFUSED').message, /does not respond \(ECONNREFUSED\)/);
});

test('every name and its www., own hosts and ADMIN_HOST are checked', () => {
  const names = new Set(['lap.app', 'www.site.example']);
  const targets = targetsOf({ names, hosts: ['names.example'], adminHost: 'admin.example' });
  assert.deepEqual(
    targets.map(({ host, path }) => host + path),
    ['names.example/', 'admin.example/admin/login', 'lap.app/', 'www.lap.app/', 'www.site.example/'],
  );
  const twice = targetsOf({ names: new Set(), hosts: ['admin.example'], adminHost: 'admin.example' });
  assert.deepEqual(
    twice.map(({ host, path }) => host + path),
    ['admin.example/admin/login'],
  );
  assert.deepEqual(targetsOf({ names: new Set(), hosts: [], adminHost: undefined }), []);
  const hostsOf = (name: string) => targetsOfName(targets, name).map(({ host }) => host);
  assert.deepEqual(hostsOf('LAP.app.'), ['lap.app', 'www.lap.app']);
  assert.deepEqual(hostsOf('www.lap.app'), ['lap.app', 'www.lap.app']);
  assert.deepEqual(hostsOf('admin.example'), ['admin.example']);
  assert.deepEqual(hostsOf('other.example'), []);
  const local = targetsOf({ names: new Set(), hosts: ['names.localhost'], adminHost: '127.0.0.1' });
  assert.deepEqual(local, []);
});
