import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readSettings } from '../../config/settings.ts';
import { catalogueProblem } from './catalogue-problem.ts';

const folder = mkdtempSync(join(tmpdir(), 'catalogue-problem-'));
after(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'catalogue.yaml');
process.env.CATALOGUE = file;

test('an edited catalogue is checked without blocking the pages', async () => {
  const settings = readSettings();
  const settled = async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const problem = await catalogueProblem(settings);
    clearImmediate(next);
    assert.ok(turns > 0, 'the thread of the pages was busy all the time');
    return problem;
  };
  writeFileSync(
    file,
    'settings:\n  brokerUrl: https://broker.example/{domain}\ndomains:\n  - name: lap.app\n    price: 5\n    description: A name.\n    hasBroker: true\n',
  );
  assert.match((await settled()) ?? '', /catalogue\.yaml:5.*lap\.app.*price/);
  writeFileSync(
    file,
    'settings:\n  brokerUrl: https://broker.example/{domain}\ndomains:\n  - name: lap.app\n    price: "5"\n    description: A name.\n    hasBroker: true\n',
  );
  assert.equal(await settled(), undefined);
});
