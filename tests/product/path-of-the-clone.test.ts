/** The product in a folder whose path has what shells and URLs quote, with its data beside it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeOffer, readAllOffers } from '../support/calls.ts';
import { copyOfProject, startProductProcess } from '../support/product.ts';
import { assertOutput, fetchPage, headlineOf, runTool } from '../support/terminal.ts';

test('a folder with a space, a quote and a letter like ä in its path: start, offer, backup, restore, a command', async (context) => {
  const { folder: project, remove } = copyOfProject("it's my häfen & co");
  after(remove);
  const dataDir = join(project, '../data ä');
  const run = (command: string, args: string[], data = dataDir) =>
    runTool(`node/commands/${command}.ts`, args, { DATA_DIR: data }, project);
  const product = await startProductProcess({ project, dataDir });
  context.after(() => product.stop());
  assert.match(await fetchPage(product.port, 'lap.app.localhost'), headlineOf('lap.app'));
  const id = await makeOffer(product);
  assert.deepEqual(
    (await readAllOffers(product)).map((offer) => offer.id),
    [id],
  );
  const file = join(project, 'ö 1.backup');
  assertOutput(run('backup', [file]), 0, /^Wrote .+ö 1\.backup\. It holds personal data/);
  assert.match(run('restore', [file], join(project, '../restored ä')).text, /^Restored 1 offer/);
  assert.match(run('catalogue', ['init']).text, /^Made own\/catalogue\.yaml /);
  assertOutput(run('export', [join(project, 'ü.csv')]), 0, /^Wrote 1 offer to /);
});
