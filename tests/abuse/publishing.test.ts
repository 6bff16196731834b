/** The product, its thread or a build ended while catalogues are published under load: no page without intake, no offer for a name that is not listed. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { freePort } from '../support/free-port.ts';
import { jsonOf, sendRequest } from '../support/http-client.ts';
import { copyOfProject } from '../support/product.ts';
import { NODE, runTool, waitUntil } from '../support/terminal.ts';
import { type AbusedProduct, functionCall, startAbused } from './abused-product.ts';
import { assertStoredOnce } from './assert-stored-once.ts';
import { killPart, type Part } from './kill-part.ts';
import { encodeProof, fetchChallenge, solve } from './proofs.ts';
import { count } from './report.ts';
import { seededRandom } from './seeded-random.ts';
import { runsOf } from './short-form.ts';
import { waitForExit } from './start-process.ts';
import { startVisitors } from './visitors.ts';

/** In the catalogue of every second build. */
const NAME = 'toggled.example';
/** `build` is the process that makes a build live. */
const VICTIMS: (Part | 'build')[] = ['product', 'thread', 'build', 'product', 'thread'];
/** The server looks for a new build every second: a kill hits any step of what follows. */
const MAX_PAUSE_MS = 1_300;
/** A build is waited for, three starts, and five publications. */
const TIMEOUT_MS = runsOf(1_800_000, 180_000);
/** Between two looks at the page. */
const WATCH_PAUSE_MS = runsOf(5, 20);

describe('publishing', () => {
  const project = copyOfProject();
  const dataDir = newDataFolder();
  const dist = join(project.folder, 'dist');
  const env: Record<string, string> = {};
  let product: AbusedProduct;
  let builds = 0;

  before(
    async () => {
      env.PORT = String(await freePort());
      // With the pages that are built already, of which a build makes few anew.
      for (const built of ['.builds', 'dist'].filter((one) => existsSync(one)))
        cpSync(built, join(project.folder, built), {
          recursive: true,
          verbatimSymlinks: true,
          preserveTimestamps: true,
        });
      assert.equal(runTool('commands/build-if-needed.ts', [], {}, project.folder).code, 0);
      product = await startAbused({ dataDir, env, project: project.folder });
    },
    { timeout: TIMEOUT_MS },
  );
  after(async () => {
    await product.stop();
    project.remove();
    rmSync(dataDir, { recursive: true });
  });

  /** A build as the builder leaves it, with or without NAME; pages are copies of another domain's. */
  const nextBuild = (listed: boolean): string => {
    const next = join(project.folder, '.builds/next');
    rmSync(next, { recursive: true, force: true });
    cpSync(realpathSync(dist), next, { recursive: true });
    const page = join(next, 'client/sites', NAME);
    rmSync(page, { recursive: true, force: true });
    if (listed) cpSync(join(next, 'client/sites/lap.app'), page, { recursive: true });
    edit(join(next, 'publication.json'), (publication) => {
      const entries = (publication.entries as { name: string }[]).filter(({ name }) => name !== NAME);
      const added = { name: NAME, state: 'for_sale', price: '$1' };
      builds += 1;
      return { ...publication, entries: listed ? [...entries, added] : entries, build: `build ${builds}` };
    });
    return next;
  };
  const goLive = (next: string) => {
    const script = `import { goLive } from './site-builder/live-build.ts'; goLive(${JSON.stringify(next)});`;
    return spawn(NODE, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script], {
      cwd: project.folder,
      stdio: 'inherit',
    });
  };
  const liveBuild = () =>
    (JSON.parse(readFileSync(join(dist, 'publication.json'), 'utf8')) as { build: string }).build;
  const servedBuild = async () => jsonOf(await sendRequest(product.port, { path: '/health' })).build;
  const offerFor = async (token: string) => {
    const offer = {
      domain_name: NAME,
      offer_amount: '$1',
      customer_name: 'Toggled',
      customer_email: 'a@example.com',
    };
    return sendRequest(product.port, functionCall('order-submit', { ...offer, turnstile_token: token }));
  };
  const hasPage = async () => (await sendRequest(product.port, { path: `/sites/${NAME}/` })).status === 200;

  /** Sends offers, with a token that is not valid, while the page is served. */
  const watchPage = async (isOver: () => boolean) => {
    while (!isOver()) {
      try {
        const before = await hasPage();
        const response = await offerFor('no token');
        const isRejected = response.status < 500 && jsonOf(response).code === 'unknown_domain';
        if (before && isRejected && (await hasPage())) count('rejectedListed');
      } catch {
        // The server was killed.
      }
      await pause(WATCH_PAUSE_MS);
    }
  };

  test('a publication that is killed at any moment is completed, and no listed name rejects an offer meanwhile', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const random = seededRandom('kills while publishing');
    const visitors = startVisitors(product, 1);
    let over = false;
    const watched = watchPage(() => over);
    let token: string | undefined;
    for (let round = 0; round < runsOf(50, 5); round += 1) {
      const listed = round % 2 === 0;
      const next = nextBuild(listed);
      const builder = goLive(next);
      const victim = VICTIMS[round % VICTIMS.length] ?? 'product';
      await pause(random() * (victim === 'build' ? 150 : MAX_PAUSE_MS));
      if (victim === 'build') {
        builder.kill('SIGKILL');
        count('kills');
        await waitForExit(builder);
        // Another build completes what is left.
        await waitForExit(goLive(nextBuild(listed)));
      } else {
        await killPart(product.process, victim);
        if (builder.exitCode === null) await waitForExit(builder);
      }
      if (victim === 'product') {
        await waitForExit(product.process);
        await product.stop();
        product = await startAbused({ dataDir, env, project: project.folder });
      }
      await waitUntil(async () => (await servedBuild().catch(() => undefined)) === liveBuild(), 'published');
      if (listed)
        token = encodeProof(await retried(async () => solve(await fetchChallenge(product.port, NAME))));
      else {
        const response = await retried(() => offerFor(token ?? ''));
        if (response.status < 300) count('storedUnlisted');
        assert.equal(jsonOf(response).code, 'unknown_domain');
      }
      await visitors.waitForAcknowledged(1);
    }
    over = true;
    await watched;
    await visitors.finish();
    await assertStoredOnce(product, visitors.acknowledged);
  });
});

function edit(file: string, change: (content: Record<string, unknown>) => unknown): void {
  const content = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify(change(content)));
}

/** Repeats a call while a killed process is being started again. */
async function retried<Result extends object>(call: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries += 1) {
    try {
      const result = await call();
      if (!('status' in result) || Number(result.status) < 500 || tries > 200) return result;
    } catch (error) {
      if (tries > 200) throw error;
    }
    await pause(100);
  }
}
