import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { map } from 'nanostores';
import type { OfferStatus } from '#contract/offer.ts';
import { type Change, createUndo, UNDO_MS } from './undo.ts';

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
});

const CHANGE: Change = { id: '1', domain: 'lap.app', from: 'pending', to: 'accepted' };

function listOf() {
  const saved: [id: string, seen: string, status: OfferStatus][] = [];
  const $updateErrors = map<Record<string, string>>({});
  const store = createUndo({
    setStatus: async (...change) => {
      saved.push(change);
    },
    $updateErrors,
  });
  return { saved, $updateErrors, ...store };
}

test('a change is saved at once, and undone by the former status', () => {
  const { saved, $undo, changeStatus, undo } = listOf();
  changeStatus(CHANGE);
  assert.deepEqual(saved, [['1', 'pending', 'accepted']]);
  assert.equal($undo.get(), CHANGE);
  undo();
  assert.deepEqual(saved[1], ['1', 'accepted', 'pending']);
  assert.equal($undo.get(), undefined);
  undo();
  assert.equal(saved.length, 2, 'once');
});

test('the notice ends after ten seconds', () => {
  const { $undo, changeStatus } = listOf();
  changeStatus(CHANGE);
  mock.timers.tick(UNDO_MS - 1);
  assert.equal($undo.get(), CHANGE);
  mock.timers.tick(1);
  assert.equal($undo.get(), undefined);
});

test('the time stops while the notice is used', () => {
  const { $undo, changeStatus, pauseUndo, resumeUndo } = listOf();
  changeStatus(CHANGE);
  mock.timers.tick(6_000);
  pauseUndo();
  pauseUndo();
  mock.timers.tick(60_000);
  assert.equal($undo.get(), CHANGE);
  resumeUndo();
  mock.timers.tick(3_999);
  assert.equal($undo.get(), CHANGE);
  mock.timers.tick(1);
  assert.equal($undo.get(), undefined);
});

test('of several changes the last one can be undone, for ten seconds of its own', () => {
  const { saved, $undo, changeStatus, undo } = listOf();
  changeStatus(CHANGE);
  mock.timers.tick(6_000);
  changeStatus({ ...CHANGE, id: '2', to: 'rejected' });
  mock.timers.tick(6_000);
  assert.equal($undo.get()?.id, '2');
  undo();
  assert.deepEqual(saved.at(-1), ['2', 'rejected', 'pending']);
});

test('there is nothing to undo where nothing changed, it was not saved, or the former status is unknown here', () => {
  const { $undo, changeStatus, $updateErrors } = listOf();
  changeStatus({ ...CHANGE, from: 'accepted' });
  assert.equal($undo.get(), undefined);
  changeStatus({ ...CHANGE, from: 'escalated' });
  assert.equal($undo.get(), undefined);
  changeStatus(CHANGE);
  $updateErrors.setKey('2', 'Failed to update offer status');
  assert.equal($undo.get(), CHANGE);
  $updateErrors.setKey('1', 'Failed to update offer status');
  assert.equal($undo.get(), undefined);
});

test('the domain of a changed offer is known until sign-out', () => {
  const { $undo, changeStatus, undo, domainOfChange, forgetChanges } = listOf();
  changeStatus(CHANGE);
  undo();
  assert.equal(domainOfChange('1'), 'lap.app');
  assert.equal(domainOfChange('2'), undefined);
  changeStatus(CHANGE);
  forgetChanges();
  assert.equal(domainOfChange('1'), undefined);
  assert.equal($undo.get(), undefined);
});
