import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createClient, FunctionsHttpError } from '@supabase/supabase-js';
import { OfferResponseSchema } from '#contract/offer.ts';
import { startSmtpServer } from '../../supabase/functions/deliver/fake-smtp-server.ts';
import { solve } from '../../tests/support/calls.ts';
import { openEmbedded } from '../backend-client/project.ts';
import { publisherOf } from '../catalogue-publication/publisher.ts';
import { copyBooted } from './booted-database.fixture.ts';
import { takeDataFolder } from './data-folder.ts';
import { type EmbeddedProject, openProject } from './open-project.ts';
import { PROJECT_URL } from './project-options.ts';

const OFFER = {
  domain_name: 'lap.app',
  offer_amount: '$12,000',
  customer_name: 'Ada',
  customer_email: 'ada@example.com',
};

/** A copy of a booted data folder, removed by the caller. */
async function copyDataFolder(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'project-'));
  const { build, release } = await takeDataFolder(dataDir);
  await build(copyBooted);
  release();
  return dataDir;
}

/** Opens a project with one name in its catalogue. */
async function open(t: TestContext, settings: Record<string, string> = {}): Promise<EmbeddedProject> {
  const dataDir = await copyDataFolder();
  const project = await openProject({
    dataDir,
    settings: { LOOPBACK_ONLY: '1', ...settings },
    print: () => {},
  });
  t.after(async () => {
    await project.close();
    rmSync(dataDir, { recursive: true });
  });
  const { fetch, keys } = project;
  const publish = publisherOf(openEmbedded({ url: PROJECT_URL, fetch, secretKey: keys.secretKey }));
  const entry = { name: OFFER.domain_name, state: 'for_sale' as const, price: '$1' };
  await publish({ entries: [entry], hosts: [], language: 'en', build: 'of a test', settings: {} }, false);
  return project;
}

/** Makes an offer as a page does. */
async function makeOffer({ fetch, keys }: EmbeddedProject): Promise<string> {
  const { functions } = createClient(PROJECT_URL, keys.publishableKey, { global: { fetch } });
  const challenge = await functions.invoke(`bot-check?domain=${OFFER.domain_name}`, { method: 'GET' });
  const turnstile_token = await solve(challenge.data);
  const { data, error } = await functions.invoke('order-submit', { body: { ...OFFER, turnstile_token } });
  if (error instanceof FunctionsHttpError) assert.fail(await error.context.text());
  return OfferResponseSchema.parse(data).id;
}

async function storedIds({ database }: EmbeddedProject): Promise<string[]> {
  const { rows } = await database.sql.query<{ id: string }>('select id from public.offers');
  return rows.map(({ id }) => id);
}

test('two projects live in one process, each with its own offers and mails, for which it waits at its end', async (t) => {
  await using mail = await startSmtpServer({ disabledCommands: ['STARTTLS'] });
  const mailing = await open(t, {
    SMTP_URL: `smtp://127.0.0.1:${mail.server.port}`,
    MAIL_FROM: 'offers@example.com',
    MAIL_TO: 'owner@example.com',
  });
  const other = await open(t);
  const id = await makeOffer(other);
  assert.deepEqual(await storedIds(other), [id]);
  assert.deepEqual(await storedIds(mailing), []);
  await makeOffer(mailing);
  assert.deepEqual(await storedIds(other), [id]);
  await mailing.close();
  assert.deepEqual(
    mail.mails.map(({ to }) => to),
    [['owner@example.com']],
  );
});

test('a project waits at its end for any delivery; its data folder is free then, and not before', async (t) => {
  const dataDir = await copyDataFolder();
  t.after(() => rmSync(dataDir, { recursive: true }));
  const { fetch, keys, deliver, close } = await openProject({ dataDir, print: () => {} });
  await assert.rejects(openProject({ dataDir }), /is in use by another process/);
  const delivery = fetch(`${PROJECT_URL}/functions/v1/deliver`, {
    method: 'POST',
    headers: { apikey: keys.secretKey, 'content-type': 'application/json' },
    body: '{}',
  });
  const scheduled = deliver({});
  await close();
  // It has several calls of the database, one after the other.
  assert.equal((await delivery).status, 200);
  assert.deepEqual(await scheduled, { sent: 0, failed: 0, queued: 0 });
  const again = await openProject({ dataDir });
  await again.close();
});
