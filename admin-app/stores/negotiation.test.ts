import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { MutationObserver, QueryObserver } from '@tanstack/react-query';
import type { Move, Negotiation } from '#contract/negotiation.ts';
import { type NegotiationApi, NegotiationRejection } from '../api/negotiation.ts';
import { SessionEnded } from '../api/with-fresh-token.ts';
import { idOf, settled } from './dashboard.fixture.ts';
import {
  canUndo,
  createNegotiation,
  dealProblem,
  errorOf,
  problemField,
  type Sent,
  UNDO_MS,
} from './negotiation.ts';
import { createSessionCache } from './session-cache.ts';

const OFFER = { number: 1, side: 'buyer', kind: 'offer', amount: '$9', at: '2026-11-22T08:14:00Z' } as const;
const OPEN: Negotiation = { domain: 'lap.app', status: 'open', seen: 1, moves: [OFFER], can: ['counter'] };
const ID = idOf(0);
const OTHER = idOf(1);
const MOVE = { kind: 'decline', seen: 1 } as const;

const opened: (() => void)[] = [];
afterEach(() => {
  mock.timers.reset();
  for (const close of opened.splice(0)) close();
  mock.restoreAll();
});

/** The panel of an offer, opened. */
async function openPanel(first: Negotiation = OPEN) {
  mock.method(console, 'error', () => {});
  const callNegotiation = mock.fn<NegotiationApi['callNegotiation']>(async () => first);
  const reload = mock.fn(async () => true);
  const cache = createSessionCache(() => {});
  const store = createNegotiation({ callNegotiation }, { reload }, cache);
  const panel = new QueryObserver(cache.client, store.negotiationQuery(ID));
  opened.push(
    panel.subscribe(() => {}),
    cache.clear,
  );
  await settled();
  const negotiate = new MutationObserver(cache.client, store.negotiate);
  return { ...store, ...cache, callNegotiation, reload, negotiate, panel };
}

test('what was typed to a buyer is gone after the session', async () => {
  const { $drafts, writeDraft, clear } = await openPanel();
  writeDraft(ID, { amount: '$14,000', note: 'Only for you.' });
  assert.deepEqual($drafts.get()[ID], { kind: 'counter', days: 7, amount: '$14,000', note: 'Only for you.' });
  clear();
  assert.deepEqual($drafts.get(), {});
});

test('a rejected move keeps what was typed, and reads the moves again', async () => {
  const { $drafts, writeDraft, callNegotiation, negotiate, panel } = await openPanel();
  writeDraft(ID, { note: 'No.' });
  callNegotiation.mock.mockImplementation(async ({ move }) => {
    if (move) throw new Error('The other side was first.');
    return { ...OPEN, status: 'withdrawn', seen: 2 };
  });
  await assert.rejects(negotiate.mutate({ id: ID, move: MOVE }), /The other side was first/);
  await settled();
  assert.equal((panel.getCurrentResult().data as Negotiation).status, 'withdrawn');
  assert.equal($drafts.get()[ID]?.note, 'No.');
});

test('moves that cannot be read at first are an error at once, and the next poll reads them', async () => {
  const { callNegotiation, client, negotiationQuery } = await openPanel();
  callNegotiation.mock.mockImplementationOnce(() => Promise.reject(new Error('')));
  const panel = new QueryObserver(client, negotiationQuery(OTHER));
  opened.push(panel.subscribe(() => {}));
  await settled();
  assert.equal(panel.getCurrentResult().errorUpdateCount, 1);
  await panel.refetch();
  assert.deepEqual(panel.getCurrentResult().data, OPEN);
});

test('a new link for the buyer keeps what was typed', async () => {
  const { $drafts, writeDraft, negotiate } = await openPanel();
  writeDraft(ID, { note: 'Typed.' });
  await negotiate.mutate({ id: ID, new_link: true });
  assert.equal($drafts.get()[ID]?.note, 'Typed.');
  await negotiate.mutate({ id: ID, move: MOVE });
  assert.deepEqual($drafts.get(), {}, 'a move is sent with it');
});

test('a new link for the buyer is in the mail that is shown before it is sent', async () => {
  const { previewQuery, negotiate, callNegotiation, client } = await openPanel();
  let text = 'with the old link';
  callNegotiation.mock.mockImplementation(async () => ({
    ...OPEN,
    mail: { subject: 'Counter-offer', text },
  }));
  const shown = { ...previewQuery(ID, MOVE), staleTime: Number.POSITIVE_INFINITY };
  const preview = new QueryObserver(client, shown);
  opened.push(preview.subscribe(() => {}));
  await settled();
  assert.equal(preview.getCurrentResult().data?.text, 'with the old link');
  text = 'with the new link';
  await negotiate.mutate({ id: ID, new_link: true });
  await settled();
  assert.equal(preview.getCurrentResult().data?.text, 'with the new link');
});

test('a move without a network has failed before the moves can be read again', async () => {
  const { callNegotiation, negotiate } = await openPanel();
  callNegotiation.mock.mockImplementation(({ move }) =>
    move ? Promise.reject(new Error('offline')) : new Promise(() => {}),
  );
  await Promise.race([
    assert.rejects(negotiate.mutate({ id: ID, move: MOVE }), /offline/),
    settled().then(() => assert.fail('It is still being sent.')),
  ]);
});

const READ = [1, 2, 3];
const asRead = (seen: number) => ({ ...OPEN, seen });
for (const before of READ)
  for (const read of READ) {
    const isReload = before !== read;
    test(`a poll that has ${read} after ${before} reads the list ${isReload ? 'once, quietly' : 'not'}`, async () => {
      const { callNegotiation, reload, client, negotiationQuery, panel } = await openPanel(asRead(before));
      assert.equal(reload.mock.callCount(), 0, 'the first reading');
      callNegotiation.mock.mockImplementation(async () => asRead(read));
      for (const _ of ['first', 'second']) await client.query({ ...negotiationQuery(ID), staleTime: 0 });
      assert.deepEqual(panel.getCurrentResult().data, asRead(read));
      assert.deepEqual(
        reload.mock.calls.map(({ arguments: given }) => given),
        isReload ? [[{ quiet: true }]] : [],
      );
    });
  }

test('a poll that fails keeps the moves, and reads no list', async () => {
  const { callNegotiation, reload, panel } = await openPanel();
  assert.deepEqual(callNegotiation.mock.calls[0]?.arguments[0], { offer_id: ID });
  callNegotiation.mock.mockImplementation(() => Promise.reject(new SessionEnded()));
  await panel.refetch();
  assert.deepEqual([panel.getCurrentResult().data, reload.mock.callCount()], [OPEN, 0]);
});

const SENT: [what: string, sent: { move?: Move; new_link?: true }][] = [
  ...(['counter', 'accept', 'decline', 'take_back'] as const).map((kind): (typeof SENT)[number] => [
    kind,
    { move: { kind, seen: 1 } },
  ]),
  ['a new link', { new_link: true }],
];
for (const [what, sent] of SENT)
  test(`after ${what} its response is shown, and what was typed for another offer stays`, async () => {
    const { $drafts, writeDraft, callNegotiation, negotiate, panel, reload } = await openPanel();
    writeDraft(ID, { note: 'Typed.' });
    writeDraft(OTHER, { kind: 'decline' });
    const response: Negotiation = {
      ...OPEN,
      seen: 2,
      status: 'declined',
      link: 'https://lap.app/offer/#new',
    };
    callNegotiation.mock.mockImplementation(async () => response);
    const before = callNegotiation.mock.callCount();
    await negotiate.mutate({ id: ID, ...sent });
    assert.deepEqual(callNegotiation.mock.calls[before]?.arguments, [{ offer_id: ID, ...sent }]);
    assert.deepEqual(panel.getCurrentResult().data, response);
    const own = sent.move ? {} : { [ID]: { kind: 'counter', days: 7, note: 'Typed.' } };
    assert.deepEqual($drafts.get(), { ...own, [OTHER]: { kind: 'decline', days: 7 } });
    assert.deepEqual(
      reload.mock.calls.map(({ arguments: given }) => given),
      sent.move ? [[{ quiet: true }]] : [],
    );
  });

test('what is typed is kept by offer, field by field', async () => {
  const { $drafts, writeDraft } = await openPanel();
  writeDraft(ID, { amount: '$14,000' });
  writeDraft(ID, { kind: 'accept' });
  writeDraft(OTHER, { days: 14 });
  writeDraft(ID, { note: 'Soon.', amount: '$15,000' });
  assert.deepEqual($drafts.get(), {
    [ID]: { kind: 'accept', days: 7, amount: '$15,000', note: 'Soon.' },
    [OTHER]: { kind: 'counter', days: 14 },
  });
});

test('the mail about a move is read for that move, and is none where no mail is sent', async () => {
  const { previewQuery, callNegotiation, client } = await openPanel();
  const mail = { subject: 'Declined', text: 'No.' };
  const preview = async (response: Negotiation) => {
    callNegotiation.mock.mockImplementation(async () => response);
    return await client.query({ ...previewQuery(ID, MOVE), staleTime: 0 });
  };
  assert.deepEqual(await preview({ ...OPEN, mail }), mail);
  assert.deepEqual(callNegotiation.mock.calls.at(-1)?.arguments[0], { offer_id: ID, preview: MOVE });
  assert.equal(await preview({ ...OPEN, mail: null }), null);
  assert.equal(await preview(OPEN), null);
});

const DEAL = { reference: 'LAP-7F3K', agreed_at: '2026-11-22T09:00:00Z', seen: 0 } as const;
const ACCEPTED: Negotiation = { ...OPEN, status: 'accepted', can: ['take_back'], deal: DEAL };
const PAID: Negotiation = { ...ACCEPTED, deal: { ...DEAL, paid_at: '2026-11-23T09:00:00Z', seen: 1 } };
const TICK = { reference: 'LAP-7F3K', seen: 0, field: 'paid', to: true } as const;

const COUNTER = { kind: 'counter', seen: 1, amount: '$14' } as const;
const COUNTERED: Negotiation = {
  ...OPEN,
  seen: 2,
  moves: [OFFER, { number: 2, side: 'owner', kind: 'counter', amount: '$14', at: OFFER.at }],
};
const AGREED_BY_MOVE: Negotiation = {
  ...ACCEPTED,
  moves: [OFFER, { number: 2, side: 'owner', kind: 'accept', amount: '$9', at: OFFER.at }],
};
const PAID_CHANGE = { number: 1, field: 'paid', from: false, to: true, at: OFFER.at };
const PAID_AFTER: Negotiation = { ...PAID, deal: { ...DEAL, seen: 1, changes: [PAID_CHANGE] } };
const OTHER_CHANGE: Negotiation = {
  ...PAID,
  deal: { ...DEAL, seen: 1, changes: [{ ...PAID_CHANGE, field: 'pay_by', to: '2026-12-05' }] },
};
const LATER_MOVE = { number: 2, at: OFFER.at } as const;
const DECLINED: Negotiation = {
  ...OPEN,
  moves: [OFFER, { ...LATER_MOVE, side: 'owner', kind: 'decline' }],
};
const ACCEPTED_BY_BUYER: Negotiation = {
  ...ACCEPTED,
  moves: [OFFER, { ...LATER_MOVE, side: 'buyer', kind: 'accept' }],
};
const UNDONE: Negotiation = {
  ...ACCEPTED,
  deal: { ...DEAL, seen: 2, changes: [PAID_CHANGE, { ...PAID_CHANGE, number: 2, from: true, to: false }] },
};
const OTHER_STEP: Negotiation = {
  ...PAID,
  deal: { ...DEAL, seen: 1, changes: [{ ...PAID_CHANGE, field: 'transferred' }] },
};
const DATE_REMOVED: Negotiation = {
  ...ACCEPTED,
  deal: { ...DEAL, seen: 1, changes: [{ number: 1, field: 'pay_by', from: '2026-12-04', at: OFFER.at }] },
};
const LOST: [what: string, sent: Omit<Sent, 'id'>, read: Negotiation, isStored: boolean][] = [
  ['a counter-offer that is stored', { move: COUNTER }, COUNTERED, true],
  ['a counter-offer typed with blanks', { move: { ...COUNTER, amount: ' $14 ' } }, COUNTERED, true],
  ['a date that is removed', { deal: { ...TICK, field: 'pay_by', to: null } }, DATE_REMOVED, true],
  ['an acceptance that is stored', { move: { kind: 'accept', seen: 1 } }, AGREED_BY_MOVE, true],
  ['another amount', { move: { ...COUNTER, amount: '$15' } }, COUNTERED, false],
  ['a move that is not stored', { move: COUNTER }, OPEN, false],
  ['a step that is stored', { deal: TICK }, PAID_AFTER, true],
  ['a step after which there is another change', { deal: TICK }, OTHER_CHANGE, false],
  ['an acceptance while another owner declined', { move: { kind: 'accept', seen: 1 } }, DECLINED, false],
  ['an acceptance while the buyer accepted', { move: { kind: 'accept', seen: 1 } }, ACCEPTED_BY_BUYER, false],
  ['a step that was undone before', { deal: { ...TICK, seen: 2 } }, UNDONE, false],
  ['a step while another owner ticked another one', { deal: TICK }, OTHER_STEP, false],
  [
    'a date while another owner set another one',
    { deal: { ...TICK, field: 'pay_by', to: '2026-12-04' } },
    OTHER_CHANGE,
    false,
  ],
];
for (const [what, sent, read, isStored] of LOST)
  test(`a lost response to ${what} is ${isStored ? 'no' : 'an'} error once the moves are read`, async () => {
    const { $drafts, writeDraft, callNegotiation, negotiate, panel } = await openPanel();
    writeDraft(ID, { amount: '$14' });
    callNegotiation.mock.mockImplementation(async (request) => {
      if ('move' in request || 'deal' in request) throw new NegotiationRejection({});
      return read;
    });
    await assert.rejects(negotiate.mutate({ id: ID, ...sent }));
    await settled();
    const { error, variables } = negotiate.getCurrentResult();
    assert.equal(
      errorOf({ error, variables }, panel.getCurrentResult().data as Negotiation) === null,
      isStored,
    );
    assert.equal(ID in $drafts.get(), !(isStored && sent.move), 'what was typed');
  });

test('after a lost response to a counter-offer the same amount, typed once more, stays', async () => {
  const { $drafts, writeDraft, callNegotiation, negotiate, client, negotiationQuery } = await openPanel();
  callNegotiation.mock.mockImplementation(async (request) => {
    if ('move' in request) throw new NegotiationRejection({});
    return COUNTERED;
  });
  writeDraft(ID, { amount: '$14' });
  await assert.rejects(negotiate.mutate({ id: ID, move: COUNTER }));
  await settled();
  assert.deepEqual($drafts.get(), {});
  writeDraft(ID, { amount: '$14' });
  await client.refetchQueries(negotiationQuery(ID));
  assert.equal($drafts.get()[ID]?.amount, '$14');
});

test('what is typed while a move or a change is sent stays', async () => {
  const { $drafts, writeDraft, callNegotiation, negotiate } = await openPanel();
  const sending = Promise.withResolvers<Negotiation>();
  callNegotiation.mock.mockImplementation(() => sending.promise);
  writeDraft(ID, { amount: '$14', note: 'First.', payBy: '2026-12-04' });
  const moved = negotiate.mutate({ id: ID, move: { ...COUNTER, note: 'First.' } });
  const change = { reference: 'LAP-7F3K', seen: 0, field: 'pay_by', to: '2026-12-04' } as const;
  writeDraft(OTHER, { payBy: '2026-12-04' });
  const changed = negotiate.mutate({ id: OTHER, deal: change });
  await settled();
  writeDraft(ID, { note: 'Second.' });
  writeDraft(OTHER, { payBy: '2026-12-05' });
  sending.resolve(COUNTERED);
  await Promise.all([moved, changed]);
  assert.deepEqual($drafts.get(), {
    [ID]: { kind: 'counter', days: 7, note: 'Second.' },
    [OTHER]: { kind: 'counter', days: 7, payBy: '2026-12-05' },
  });
});

test('a step that was ticked can be undone for ten seconds', async () => {
  const { $ticked, callNegotiation, negotiate, panel, reload } = await openPanel(ACCEPTED);
  callNegotiation.mock.mockImplementation(async () => PAID);
  mock.timers.enable({ apis: ['setTimeout'] });
  await negotiate.mutate({ id: ID, deal: TICK });
  assert.deepEqual(callNegotiation.mock.calls.at(-1)?.arguments, [{ offer_id: ID, deal: TICK }]);
  assert.deepEqual(panel.getCurrentResult().data, PAID);
  assert.deepEqual($ticked.get(), { [ID]: { step: 'paid', seen: 1 } });
  assert.ok(canUndo($ticked.get()[ID], 'paid', { seen: 1 }));
  assert.ok(!canUndo($ticked.get()[ID], 'transferred', { seen: 1 }));
  assert.ok(!canUndo($ticked.get()[ID], 'paid', { seen: 2 }), 'changed since');
  assert.deepEqual(reload.mock.calls.at(-1)?.arguments, [{ quiet: true }]);
  mock.timers.tick(UNDO_MS - 1);
  assert.ok($ticked.get()[ID]);
  mock.timers.tick(1);
  assert.deepEqual($ticked.get(), {});
});

test('what was undone cannot be undone again, and a later step is offered in its place', async () => {
  const { $ticked, callNegotiation, negotiate } = await openPanel(ACCEPTED);
  callNegotiation.mock.mockImplementation(async () => PAID);
  mock.timers.enable({ apis: ['setTimeout'] });
  await negotiate.mutate({ id: ID, deal: TICK });
  mock.timers.tick(UNDO_MS - 1);
  const transferred = { ...PAID, deal: { ...PAID.deal, ...DEAL, seen: 2 } };
  callNegotiation.mock.mockImplementation(async () => transferred);
  await negotiate.mutate({ id: ID, deal: { ...TICK, seen: 1, field: 'transferred' } });
  mock.timers.tick(1);
  assert.deepEqual($ticked.get(), { [ID]: { step: 'transferred', seen: 2 } }, 'the timer of the first step');
  await negotiate.mutate({ id: ID, deal: { ...TICK, seen: 2, field: 'transferred', to: false } });
  assert.deepEqual($ticked.get(), {});
});

const SENT_DRAFTS = [
  ['pay_by', '2026-12-04', ['kind', 'days', 'way', 'link', 'note']],
  ['link', 'https://checkout.example/a', ['kind', 'days', 'payBy', 'note']],
  ['way', 'closing', ['kind', 'days', 'payBy', 'note']],
  ['paid', true, ['kind', 'days', 'way', 'link', 'payBy', 'note']],
] as const;
for (const [field, to, kept] of SENT_DRAFTS)
  test(`after a change of ${field} only what was typed for it is dropped`, async () => {
    const { $drafts, writeDraft, callNegotiation, negotiate } = await openPanel(ACCEPTED);
    writeDraft(ID, { way: 'link', link: 'https://x.example', payBy: '2026-12-05', note: 'Typed.' });
    callNegotiation.mock.mockImplementation(async () => ACCEPTED);
    await negotiate.mutate({ id: ID, deal: { reference: 'LAP-7F3K', seen: 0, field, to } as typeof TICK });
    assert.deepEqual(Object.keys($drafts.get()[ID] ?? {}).sort(), [...kept].sort());
  });

test('a change that another administrator was faster with keeps what was typed, and reads the deal again', async () => {
  const { $drafts, $overtaken, writeDraft, callNegotiation, negotiate, panel } = await openPanel(ACCEPTED);
  writeDraft(ID, { payBy: '2026-12-05' });
  callNegotiation.mock.mockImplementation(async (request) => {
    if ('deal' in request)
      throw new NegotiationRejection({ error: 'The other side was first.', code: 'moved' });
    return PAID;
  });
  const change = { reference: 'LAP-7F3K', seen: 0, field: 'pay_by', to: '2026-12-05' } as const;
  const error = await negotiate.mutate({ id: ID, deal: change }).catch((reason: Error) => reason);
  assert.ok(error instanceof Error);
  assert.equal(dealProblem(error), undefined, 'said once, above the deal');
  assert.deepEqual([...$overtaken.get()], [ID]);
  await settled();
  assert.deepEqual(panel.getCurrentResult().data, PAID);
  assert.equal($drafts.get()[ID]?.payBy, '2026-12-05');
  callNegotiation.mock.mockImplementation(async () => PAID);
  await negotiate.mutate({ id: ID, deal: { ...change, seen: 1 } });
  assert.deepEqual([...$overtaken.get()], []);
});

for (const code of ['moved', 'not_possible'])
  test(`a take-back that is ${code} is marked at its offer, also after a move of another one`, async () => {
    const { $overtaken, callNegotiation, negotiate } = await openPanel(ACCEPTED);
    callNegotiation.mock.mockImplementation(async (request) => {
      if ('move' in request) throw new NegotiationRejection({ error: 'The other side was first.', code });
      return PAID;
    });
    await assert.rejects(negotiate.mutate({ id: ID, move: { kind: 'take_back', seen: 2 } }));
    await assert.rejects(negotiate.mutate({ id: OTHER, move: MOVE }));
    assert.deepEqual([...$overtaken.get()], [ID]);
  });

test('a change of a deal that fails for another reason is not one that another administrator made', async () => {
  const { $overtaken, callNegotiation, negotiate } = await openPanel(ACCEPTED);
  callNegotiation.mock.mockImplementationOnce(() => Promise.reject(new Error('offline')));
  await assert.rejects(negotiate.mutate({ id: ID, deal: TICK }));
  assert.deepEqual([...$overtaken.get()], []);
});

test('a step that was ticked in another deal can still be undone', async () => {
  const { $ticked, callNegotiation, negotiate } = await openPanel(ACCEPTED);
  callNegotiation.mock.mockImplementation(async () => PAID);
  mock.timers.enable({ apis: ['setTimeout'] });
  await negotiate.mutate({ id: OTHER, deal: TICK });
  mock.timers.tick(1);
  await negotiate.mutate({ id: ID, deal: TICK });
  assert.deepEqual(Object.keys($ticked.get()).sort(), [ID, OTHER].sort());
  mock.timers.tick(UNDO_MS - 1);
  assert.deepEqual(Object.keys($ticked.get()), [ID]);
});

test('a rejected link says why, at its field', () => {
  const error = new NegotiationRejection({
    error: 'Not allowed.',
    code: 'pay_link_elsewhere',
    field: 'link',
  });
  assert.deepEqual([dealProblem(error), problemField(error)], ['Not allowed.', 'link']);
  assert.deepEqual(
    [dealProblem(new Error('')), problemField(null)],
    ['Failed to save. Please try again.', undefined],
  );
});

test('the question whether a deal fell through, once it is answered with no, leaves nothing', async () => {
  const { $drafts, writeDraft, dropDraft } = await openPanel(ACCEPTED);
  writeDraft(ID, { ending: 'rejected', note: 'Late.', payBy: '2026-12-05' });
  writeDraft(idOf(2), { note: 'Of another deal.' });
  dropDraft(ID, ['ending', 'note']);
  assert.equal($drafts.get()[idOf(2)]?.note, 'Of another deal.');
  assert.deepEqual($drafts.get()[ID], { kind: 'counter', days: 7, payBy: '2026-12-05' });
  dropDraft(OTHER, ['note']);
  assert.equal($drafts.get()[OTHER], undefined);
});
