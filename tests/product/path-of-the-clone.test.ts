/** The product in a folder whose path has what shells and URLs quote, with its data beside it. */
import assert from 'node:assert/strict';
import { copyFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { SAMPLE_CATALOGUE } from '../../src/catalogue/catalogue-file.ts';
import { bootedDataFolder } from '../support/booted-data-folder.ts';
import { makeOffer, readAllOffers } from '../support/calls.ts';
import { copyOfProject, startProductProcess } from '../support/product.ts';
import { assertOutput, fetchPage, headlineOf, runTool, waitUntil } from '../support/terminal.ts';

/** Printed where a name of the owner's catalogue links to the placeholder of a broker. */
const PLACEHOLDER = /^Warning: brokerUrl leads to broker\.example, which is a placeholder: /m;

/** A build, a start and six commands may take over 60 s on a loaded machine. */
const TIMEOUT_MS = 180_000;

test('a folder with a space, a quote and a letter like ä in its path: build, start, offer, backup, restore, a command', {
  timeout: TIMEOUT_MS,
}, async (context) => {
  const { folder: project, remove } = copyOfProject("it's my häfen & co");
  after(remove);
  const dataDir = join(project, '../data ä');
  cpSync(bootedDataFolder(), dataDir, { recursive: true });
  const run = (command: string, args: string[], data = dataDir) =>
    runTool(`commands/${command}.ts`, args, { DATA_DIR: data }, project);
  assert.match(run('catalogue', ['init']).text, /^Made own\/catalogue\.yaml /);
  // With a placeholder for the broker.
  copyFileSync(SAMPLE_CATALOGUE, join(project, 'own/catalogue.yaml'));
  assert.equal(run('build', []).code, 0);
  const product = await startProductProcess({ project, dataDir });
  context.after(() => product.stop());
  // It builds nothing, and repeats what the build warned of.
  assert.doesNotMatch(product.log(), /Building/);
  await waitUntil(() => PLACEHOLDER.test(product.log()), 'the warning is printed');
  assert.match(await fetchPage(product.port, 'lap.app.localhost'), headlineOf('lap.app'));
  const id = await makeOffer(product);
  assert.deepEqual(
    (await readAllOffers(product)).map((offer) => offer.id),
    [id],
  );
  const file = join(project, 'ö 1.backup');
  assertOutput(run('backup', [file]), 0, /^Wrote .+ö 1\.backup\. It holds personal data/);
  assertOutput(
    run('restore', [file], join(project, '../restored ä')),
    0,
    /^Restored 1 offer to \S+ ä\. Found no erasures\.json beside the backup: .+\. Start the product/,
  );
  assertOutput(run('export', [join(project, 'ü.csv')]), 0, /^Wrote 1 offer to /);
});
