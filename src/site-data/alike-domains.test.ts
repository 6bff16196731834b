import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alikeDomains } from './alike-domains.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));
const alikeTo = (name: string, ...names: string[]) =>
  alikeDomains(named(...names))({ name }).map((domain) => domain.name);

test('names with a word in common come first, then those with the ending, then those of about the length', () => {
  assert.deepEqual(
    alikeTo(
      'mountainbike-outlet.de',
      'alpha.com',
      'tee.de',
      'bikeshop.com',
      'outlet-city.de',
      'kaffeemaschine.de',
    ),
    ['outlet-city.de', 'bikeshop.com', 'kaffeemaschine.de', 'tee.de', 'alpha.com'],
  );
});

test('six are found at most, of equally alike ones the first in the owner’s order', () => {
  const names = Array.from({ length: 9 }, (_, n) => `abc${n}.de`);
  assert.deepEqual(alikeTo('wxyz.de', 'aaaa.com', ...names), names.slice(0, 6));
  assert.deepEqual(alikeTo('wxyz.de'), []);
  assert.deepEqual(alikeTo('wxyz.de', 'one.com'), ['one.com'], 'also one that has nothing in common');
});

test('an internationalised name is compared in its own letters', () => {
  const domains = [...named('aaaaaaaa.de'), { name: 'xn--bcherwurm-q9a.de', shown: 'bücherwurm.de' }];
  const alike = alikeDomains(domains)({ name: 'xn--bcherregal-q9a.de', shown: 'bücherregal.de' });
  assert.equal(alike[0], domains[1]);
});

test('the time for each name does not grow with the catalogue', () => {
  const timeOf = (count: number) => {
    const find = alikeDomains(named(...Array.from({ length: count }, (_, n) => `sunriver${n}.app`)));
    find({ name: 'index.app' });
    // The least of three, of this thread alone: other processes and the garbage collector take none of it.
    const times = [0, 1, 2].map(() => {
      const start = process.threadCpuUsage();
      for (let n = 0; n < 300; n += 1) find({ name: `sunriver-${n}.app` });
      const { user, system } = process.threadCpuUsage(start);
      return (user + system) / 1000;
    });
    return Math.min(...times);
  };
  timeOf(500);
  assert.ok(timeOf(20_000) < 8 * timeOf(500) + 50);
});
