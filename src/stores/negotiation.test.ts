import '../api/settings.stub.ts';
import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';

const { $negotiation, openNegotiation, refreshDeal, sendMove } = await import('./negotiation.ts');

const OFFER = { number: 1, side: 'buyer', kind: 'offer', amount: '$3,900', at: '2026-11-22T08:14:00Z' };
const COUNTER = { number: 2, side: 'owner', kind: 'counter', amount: '$4,300', at: '2026-11-23T08:14:00Z' };
const OPEN = {
  domain: 'lap.app',
  status: 'open',
  seen: 2,
  moves: [OFFER, COUNTER],
  can: ['accept', 'offer'],
};
const MOVED = { ...OPEN, seen: 3, moves: [...OPEN.moves, { ...COUNTER, number: 3, amount: '$4,200' }] };

afterEach(() => mock.restoreAll());

/** Responds with these in turn, and returns the bodies of the requests. */
function respondWith(...responses: [status: number, body: object][]): unknown[] {
  const sent: unknown[] = [];
  mock.method(globalThis, 'fetch', async (_: string, init: RequestInit) => {
    sent.push(JSON.parse(String(init.body)));
    const [status, body] = responses.shift() ?? [500, { error: 'Too many requests of the test.' }];
    return Response.json(body, { status });
  });
  return sent;
}

test('a link opens its negotiation by a request that makes no move', async () => {
  const sent = respondWith([200, OPEN]);
  await openNegotiation('token');
  assert.deepEqual(sent, [{ token: 'token' }]);
  const state = $negotiation.get();
  assert.equal(state.status === 'shown' && state.negotiation.seen, 2);
});

test('a read that the page has begun is used once, unless it got no response', async () => {
  const sent = respondWith([200, MOVED], [200, OPEN]);
  const read = (result: object | undefined) => ({ token: 'token', result: Promise.resolve(result) as never });
  const seen = () => {
    const state = $negotiation.get();
    return state.status === 'shown' ? state.negotiation.seen : state.status;
  };
  globalThis.linkRead = read({ status: 200, body: OPEN });
  await openNegotiation('token');
  assert.deepEqual([seen(), sent.length], [2, 0]);
  await openNegotiation('token');
  assert.deepEqual([seen(), sent.length], [3, 1]);
  globalThis.linkRead = read({ status: 404, body: { error: 'Not valid.', code: 'link_invalid' } });
  await openNegotiation('token');
  assert.deepEqual([seen(), sent.length], ['invalid', 1]);
  for (const result of [undefined, { status: 502, body: {} }]) {
    globalThis.linkRead = read(result);
    if (result) respondWith([200, OPEN]);
    await openNegotiation('token');
    assert.equal(seen(), 2);
  }
});

test('without a token the link is cut and nothing is requested, and a dead link is invalid', async () => {
  const sent = respondWith([404, { error: 'Not valid.', code: 'link_invalid' }]);
  await openNegotiation('');
  assert.deepEqual([$negotiation.get(), sent], [{ status: 'cut' }, []]);
  await openNegotiation('token');
  assert.deepEqual([$negotiation.get(), sent.length], [{ status: 'invalid' }, 1]);
});

test('the response about a link that is no longer open is dropped', async () => {
  const first = Promise.withResolvers<Response>();
  mock.method(globalThis, 'fetch', async (_: string, init: RequestInit) =>
    String(init.body).includes('first') ? await first.promise : Response.json(OPEN),
  );
  const opening = openNegotiation('first');
  await openNegotiation('second');
  first.resolve(Response.json(MOVED));
  await opening;
  const state = $negotiation.get();
  assert.equal(state.status === 'shown' && state.negotiation.seen, 2);
});

test('what a typed code or another try opens takes the focus, what a link opens does not', async () => {
  respondWith([200, OPEN], [200, OPEN], [500, {}], [500, {}], [200, OPEN]);
  for (const isNext of [true, false]) {
    if (isNext) await openNegotiation('');
    const opening = openNegotiation('token');
    assert.deepEqual($negotiation.get(), { status: 'loading', isNext });
    await opening;
    const state = $negotiation.get();
    assert.equal(state.status === 'shown' && state.isNext, isNext);
  }
  for (const state of [
    { status: 'failed', isNext: false },
    { status: 'failed', isNext: true },
    { status: 'shown', isNext: true },
  ]) {
    await openNegotiation('token');
    assert.partialDeepStrictEqual($negotiation.get(), state);
  }
});

test('a link that cannot be read for the moment has failed, and can be opened again', async () => {
  respondWith([500, { error: 'Wrong.' }], [200, OPEN]);
  await openNegotiation('token');
  assert.equal($negotiation.get().status, 'failed');
  await openNegotiation('token');
  assert.equal($negotiation.get().status, 'shown');
});

test('a move that is made is shown in place of what stood there, and takes away the failure before', async () => {
  const sent = respondWith([200, OPEN], [500, {}], [200, MOVED]);
  await openNegotiation('token');
  await sendMove({ kind: 'accept' });
  const shown = { status: 'shown', negotiation: OPEN, isNext: false };
  assert.deepEqual($negotiation.get(), { ...shown, isSending: false, failure: 'unexpected' });
  const sending = sendMove({ kind: 'accept' });
  assert.deepEqual($negotiation.get(), { ...shown, isSending: true, failure: undefined });
  await sending;
  assert.deepEqual($negotiation.get(), {
    ...shown,
    negotiation: MOVED,
    isNext: true,
    isSending: false,
    failure: undefined,
  });
  assert.equal(sent.length, 3);
});

test('without a negotiation that is shown no move is sent, and while one is sent no deal is read', async () => {
  const sent = respondWith([200, { ...OPEN, status: 'accepted' }], [200, MOVED]);
  await openNegotiation('');
  await sendMove({ kind: 'accept' });
  await refreshDeal();
  assert.equal(sent.length, 0);
  await openNegotiation('token');
  const sending = sendMove({ kind: 'accept' });
  await refreshDeal();
  await sending;
  assert.equal(sent.length, 2);
});

for (const code of ['moved', 'ended', 'not_possible']) {
  test(`a move names the last one that was seen, and the present state is shown after ${code}`, async () => {
    const sent = respondWith([200, OPEN], [409, { error: 'Too late.', code }], [200, MOVED]);
    await openNegotiation('token');
    await sendMove({ kind: 'accept' });
    assert.deepEqual(sent[1], { token: 'token', move: { kind: 'accept', seen: 2 } });
    const state = $negotiation.get();
    assert.ok(state.status === 'shown');
    assert.deepEqual([state.negotiation.seen, state.failure, state.isSending], [3, code, false]);
  });
}

test('a move of the buyer that is made has no failure', async () => {
  const own = { ...OPEN, seen: 3, moves: [...OPEN.moves, { ...OFFER, number: 3, amount: '$4,100' }] };
  respondWith([200, OPEN], [200, own]);
  await openNegotiation('token');
  await sendMove({ kind: 'offer', amount: '$4,100' });
  assert.partialDeepStrictEqual($negotiation.get(), { negotiation: own, failure: undefined });
});

test('after a move of the buyer’s own that got no response no message says that the owner was first', async () => {
  const own = { ...OPEN, seen: 3, moves: [...OPEN.moves, { ...OFFER, number: 3, amount: '$4,000' }] };
  respondWith([200, OPEN], [409, { error: 'Too late.', code: 'moved' }], [200, own]);
  await openNegotiation('token');
  await sendMove({ kind: 'offer', amount: '$4,100' });
  assert.partialDeepStrictEqual($negotiation.get(), { negotiation: own, failure: 'not_possible' });
});

test('an error leaves what is shown, and a second press sends nothing while a move is sent', async () => {
  const sent = respondWith([200, OPEN], [500, { error: 'Wrong.', code: 'internal' }]);
  await openNegotiation('token');
  await Promise.all([sendMove({ kind: 'accept' }), sendMove({ kind: 'accept' })]);
  const state = $negotiation.get();
  assert.deepEqual([state.status === 'shown' && state.failure, sent.length], ['internal', 2]);
});

test('what is wrong with a note is told from what is wrong with an amount', async () => {
  for (const [field, failure] of [
    ['note', 'note_too_long'],
    ['amount', 'too_long'],
  ]) {
    respondWith([200, OPEN], [400, { error: 'Too long.', code: 'too_long', field }]);
    await openNegotiation('token');
    await sendMove({ kind: 'offer', amount: '$4,000', note: 'Thank you.' });
    const state = $negotiation.get();
    assert.equal(state.status === 'shown' && state.failure, failure);
  }
});

test('a link that dies while it is open is invalid at the next move', async () => {
  respondWith([200, OPEN], [404, { error: 'Not valid.', code: 'link_invalid' }]);
  await openNegotiation('token');
  await sendMove({ kind: 'accept' });
  assert.deepEqual($negotiation.get(), { status: 'invalid' });
});

test('a deal is read again, and stays as it is shown where that fails or nothing is new', async () => {
  const deal = { reference: 'LAP-7F3K', agreed_at: '2026-11-24T08:14:00Z' };
  const agreed = { ...OPEN, status: 'accepted', deal };
  const paid = { ...agreed, deal: { ...deal, paid_at: '2026-11-25T08:14:00Z' } };
  const sent = respondWith(
    [200, agreed],
    [200, agreed],
    [429, { error: 'Not now.', code: 'too_many_links' }],
    [200, paid],
    [404, { error: 'Not valid.', code: 'link_invalid' }],
  );
  await openNegotiation('token');
  const shown = $negotiation.get();
  await refreshDeal();
  await refreshDeal();
  assert.equal($negotiation.get(), shown);
  await refreshDeal();
  const state = $negotiation.get();
  assert.equal(state.status === 'shown' && state.negotiation.deal?.paid_at, paid.deal.paid_at);
  await refreshDeal();
  assert.deepEqual([$negotiation.get(), sent.length], [{ status: 'invalid' }, 5]);
});

test('a slow reading of a deal does not replace a later one', async () => {
  const deal = { reference: 'LAP-7F3K', agreed_at: '2026-11-24T08:14:00Z' };
  const agreed = { ...OPEN, status: 'accepted', deal };
  const ticked = { ...agreed, deal: { ...deal, paid_at: '2026-11-25T08:14:00Z' } };
  const undone = { ...agreed, seen: 3 };
  respondWith([200, ticked]);
  await openNegotiation('token');
  const slow = Promise.withResolvers<Response>();
  const responses = [slow.promise, Promise.resolve(Response.json(undone))];
  mock.method(globalThis, 'fetch', () => responses.shift());
  const first = refreshDeal();
  await refreshDeal();
  slow.resolve(Response.json({ ...ticked, seen: 1 }));
  await first;
  const state = $negotiation.get();
  assert.equal(state.status === 'shown' && state.negotiation.seen, 3);
});

test('an offer that is not accepted is not read again', async () => {
  const sent = respondWith([200, OPEN]);
  await openNegotiation('token');
  await refreshDeal();
  assert.equal(sent.length, 1);
});
