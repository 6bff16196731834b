import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { MutationObserver, QueryObserver } from '@tanstack/react-query';
import type { Negotiation } from '#contract/negotiation.ts';
import type { NegotiationApi } from '../api/negotiation.ts';
import { idOf, settled } from './dashboard.fixture.ts';
import { createNegotiation } from './negotiation.ts';
import { createSessionCache } from './session-cache.ts';

const OFFER = { number: 1, side: 'buyer', kind: 'offer', amount: '$9', at: '2026-11-22T08:14:00Z' } as const;
const OPEN: Negotiation = { domain: 'lap.app', status: 'open', seen: 1, moves: [OFFER], can: ['counter'] };
const ID = idOf(0);
const MOVE = { kind: 'decline', seen: 1 } as const;

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
  mock.restoreAll();
});

/** The panel of an offer, opened. */
async function openPanel() {
  mock.method(console, 'error', () => {});
  const callNegotiation = mock.fn<NegotiationApi['callNegotiation']>(async () => OPEN);
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
  return { ...store, ...cache, callNegotiation, negotiate, panel };
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
