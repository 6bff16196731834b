/** The owner's commands beside a running product, and what they make of it: a restored product, and the demo. */
import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run as backup } from '../../commands/backup.ts';
import { run as erase } from '../../commands/erase.ts';
import { run as messages } from '../../commands/messages.ts';
import { run as restore } from '../../commands/restore.ts';
import { run as seed } from '../../commands/seed.ts';
import type { Run } from '../../process/command.ts';
import { bootedDataFolder } from '../support/booted-data-folder.ts';
import { makeOffer, openSession, readAllOffers, refreshStatus } from '../support/calls.ts';
import { ADMIN, copyOfBuiltProject, startProduct, startProductProcess } from '../support/product.ts';
import { runCommand } from '../support/run-command.ts';
import { assertOutput, modeOf, newFolder, signInStatus } from '../support/terminal.ts';

/** Several starts of the product and a build may take over 60 s on a loaded machine. */
const TIMEOUT_MS = 180_000;

const run = (command: Run, args: readonly string[], dataDir: string) =>
  runCommand(command, args, { env: { DATA_DIR: dataDir } });

test('a backup of the running product restores every offer into an empty folder', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  const product = await startProduct();
  t.after(() => product.stop());
  await makeOffer(product, { customer_email: 'grace@example.com' });
  const offers = await readAllOffers(product);
  const [backups, dataDir] = [newFolder(), newFolder()];
  const { refresh_token } = await openSession(product);
  await makeOffer(product, { customer_email: 'Erased@example.com' });
  assertOutput(
    await run(erase, ['nobody@example.com'], product.dataDir),
    0,
    /^There is no offer from that address\. .+ hold some; copy \S+erasures\.json beside a backup before you/,
  );
  assertOutput(
    await run(backup, ['--keep', '14', backups], product.dataDir),
    0,
    /^Wrote \S+\.backup\. It holds personal data/,
  );
  await makeOffer(product, { customer_email: 'late@example.com' });
  for (const email of ['late@example.com', 'ERASED@example.com']) {
    assertOutput(
      await run(erase, [email], product.dataDir),
      0,
      /^Erased 1 offer\. .+; restoring one from \S+ erases them again\.$/,
    );
  }
  assert.equal(await refreshStatus(product, refresh_token), 200);

  // The same keys: nothing but the restoring itself ends the backup's sessions.
  cpSync(join(product.dataDir, 'secrets.json'), join(dataDir, 'secrets.json'));
  const [noted = '', dated = ''] = readdirSync(backups).sort();
  assert.equal(noted, 'erasures.json');
  assert.equal(modeOf(join(backups, dated)), '600');
  assertOutput(
    await run(restore, [join(backups, dated)], product.dataDir),
    1,
    /is in use by another process/,
  );
  assertOutput(
    await run(restore, [join(backups, dated)], dataDir),
    0,
    /^Restored 1 offer to \S+\. Replayed 3 erasures, which deleted 1 offer\. Start the product/,
  );
  assert.ok(existsSync(join(dataDir, 'erasures.json')));
  // As the disk of the backups may be away.
  rmSync(backups, { recursive: true });
  assertOutput(
    await run(erase, ['x@example.org'], product.dataDir),
    0,
    /copy \S+ beside a backup before you restore it\. It could not be copied to \S+ now \(ENOENT\)\.$/,
  );
  const restored = await startProduct({ dataDir });
  t.after(() => restored.stop());
  assert.equal(await refreshStatus(restored, refresh_token), 400);
  assert.deepEqual(await readAllOffers(restored), offers);
  assert.equal(await signInStatus(restored, ADMIN.password), 200);
  await makeOffer(restored, { customer_name: 'After the restore' });
  assert.equal((await readAllOffers(restored)).length, 2);
});

test('the demo has names, pages and offers of its own, and sends no messages', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  const dataDir = newFolder();
  const { folder, remove } = copyOfBuiltProject();
  t.after(remove);
  const demoDir = join(folder, '.data-demo');
  const options = { cwd: folder, env: { DATA_DIR: dataDir } };
  mkdirSync(join(folder, 'own'));
  writeFileSync(
    join(folder, 'own/catalogue.yaml'),
    'domains: [{ name: named.example, price: $1, description: One. }]\n',
  );
  writeFileSync(join(folder, '.env'), 'NOTIFY_URL=http://127.0.0.1:9/\n', { mode: 0o600 });
  const site = () => [realpathSync(join(folder, 'dist')), readdirSync(join(folder, '.builds')).sort()];
  const before = site();

  const demo = await startProductProcess({ dataDir, project: folder, program: 'commands/demo.ts' });
  t.after(() => demo.stop());
  assert.match(demo.log(), /^Added 14 made-up offers to \.data-demo\.$/m);
  assert.deepEqual(site(), before);
  assert.ok(!existsSync(join(folder, '.astro/cache')));
  const page = await (await fetch(demo.origin)).text();
  assert.match(page, /tidepool\.app/);
  assert.doesNotMatch(page, /named\.example/);
  const offers = await readAllOffers({ dataDir: demoDir });
  const countOf = (status: string) => offers.filter((offer) => offer.status === status).length;
  assert.deepEqual(['pending', 'negotiating', 'accepted', 'rejected'].map(countOf), [6, 2, 1, 5]);
  const scripts = globSync(join(demoDir, 'dist/client/_astro/*.js')).map((file) =>
    readFileSync(file, 'utf8'),
  );
  assert.ok(scripts.some((text) => text.includes('Demo: no messages are sent')));
  await makeOffer(demo, { domain_name: 'tidepool.app' });
  assertOutput(await run(messages, ['status'], demoDir), 0, /^Sent: 0\. Queued: 0\. Not sent: 0\.$/);
  assert.deepEqual(readdirSync(dataDir), []);
  await demo.stop();

  assertOutput(
    await runCommand(seed, ['--offers', '1'], options),
    1,
    /^\.data-demo holds 15 offers already\. To make others, end/,
  );
  rmSync(demoDir, { recursive: true });
  cpSync(bootedDataFolder(), demoDir, { recursive: true });
  const made = await runCommand(seed, ['--offers', '2'], options);
  assert.equal(made.text, 'Added 2 made-up offers to .data-demo.\nTo see them: npm run demo');
  const seeded = await readAllOffers({ dataDir: demoDir });
  assert.deepEqual(
    seeded.map(({ domain_name }) => domain_name),
    ['named.example', 'named.example'],
  );
});
