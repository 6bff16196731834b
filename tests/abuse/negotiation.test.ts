/** Moves of a negotiation: the product or its thread ended between a move and its mail, forged and guessed tokens, hostile texts. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Negotiation, NegotiationSchema } from '#contract/negotiation.ts';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { readAllOffers, seedOffers } from '../support/calls.ts';
import { freePort } from '../support/free-port.ts';
import { type HttpResponse, jsonOf } from '../support/http-client.ts';
import { PUBLIC_KEY } from '../support/product.ts';
import { type AbusedProduct, functionCall, signIn, startAbused } from './abused-product.ts';
import { badInput } from './bad-input.ts';
import { forgedTokens } from './forged-tokens.ts';
import { killPart, type Part } from './kill-part.ts';
import { startMessageServers } from './message-servers.ts';
import { count } from './report.ts';
import { seededRandom } from './seeded-random.ts';
import { runsOf } from './short-form.ts';
import { waitForExit } from './start-process.ts';

const VICTIMS: Part[] = ['thread', 'product', 'product'];
/** Moves that a side can make. */
const MOVES_OF_A_SIDE = 10;
/** A mail whose sender was killed is due again after its lease of 60 s. */
const TIMEOUT_MS = 120_000;

test('the end of the process or of its thread between a move and its mail loses neither, and a move sent again is one', async (t) => {
  const random = seededRandom('moves and kills');
  const dataDir = newDataFolder();
  await using servers = await startMessageServers();
  const env = {
    PORT: String(await freePort()),
    SMTP_URL: `smtp://127.0.0.1:${servers.mailPort}`,
    MAIL_FROM: 'offers@mail.example',
    MAIL_TO: 'owner@owners-mail.example',
  };
  const start = async () => {
    const started = await startAbused({ dataDir, env });
    t.after(() => started.process.kill('SIGKILL'));
    return started;
  };
  let product = await start();
  const rounds = runsOf(60, 2);
  await seedOffers({ dataDir }, Math.ceil(rounds / 2 / MOVES_OF_A_SIDE));
  const offers = (await readAllOffers({ dataDir })).map(({ id }) => id);
  const states = new Map<string, Negotiation>();

  for (let round = 0; round < rounds; round += 1) {
    const offer = offers[Math.floor(round / 2 / MOVES_OF_A_SIDE)] ?? '';
    const seen = states.get(offer)?.seen ?? 1;
    const token = states.get(offer)?.link?.split('#')[1];
    const amount = `$${round}`;
    const make = () =>
      round % 2 === 0
        ? ask(product, { offer_id: offer, move: { kind: 'counter', seen, amount } })
        : product.call('negotiation', { token, move: { kind: 'offer', seen, amount } });
    const victim = VICTIMS[round % VICTIMS.length] ?? 'product';
    const made = make().catch(() => undefined);
    // At times before the response, at times between it and the mail.
    if (round % 2 === 0) await made;
    await pause(random() * 15);
    await killPart(product.process, victim);
    await made;
    if (victim === 'product') {
      await waitForExit(product.process);
      await product.stop();
      product = await start();
    }
    const state = await until(
      async () => {
        const response = await make().catch(() => undefined);
        return response?.status === 200 && NegotiationSchema.parse(jsonOf(response));
      },
      `move ${seen + 1} of ${offer}`,
    );
    assert.equal(state.seen, seen + 1, 'one move');
    assert.equal(state.moves.at(-1)?.amount, amount);
    states.set(offer, { ...states.get(offer), ...state });
  }

  for (const [offer, { moves }] of states) {
    const state = NegotiationSchema.parse(jsonOf(await ask(product, { offer_id: offer })));
    assert.deepEqual(
      state.moves.slice(1).map(({ amount }) => amount),
      moves.slice(1).map(({ amount }) => amount),
    );
    for (const { number, side } of moves.slice(1)) {
      const id = `<${side === 'owner' ? 'reply' : 'move'}.${offer}.${number}@mail.example>`;
      await until(() => servers.attempts.some((one) => one.id === id && one.accepted), `the mail ${id}`);
    }
    // Every mail has one of these ids, and there are as many as moves.
    const ids = new Set(servers.attempts.map(({ id }) => id).filter((id) => id.includes(offer)));
    assert.equal(ids.size, moves.length - 1);
  }
  assert.equal(await product.stop(), 0);
  rmSync(dataDir, { recursive: true });
});

describe('links and calls of a negotiation', () => {
  test('guessed tokens open nothing and meet the limit; forged sessions and other origins do nothing', async (t) => {
    const dataDir = newDataFolder();
    const product = await startAbused({ dataDir, env: { RATE_LIMIT_SCALE: '1' } });
    t.after(() => product.process.kill('SIGKILL'));
    await seedOffers({ dataDir }, 2);
    const [{ id } = { id: '' }, other] = await readAllOffers({ dataDir });
    const link = async (offer_id: string | undefined) =>
      String(NegotiationSchema.parse(jsonOf(await ask(product, { offer_id, new_link: true }))).link).split(
        '#',
      )[1];
    const token = await link(id);
    const body = { offer_id: id, move: { kind: 'accept', seen: 1 } };

    const forgeries = forgedTokens(randomUUID(), await signIn(product.port));
    for (const forged of [...Object.values(forgeries), PUBLIC_KEY, token ?? '']) {
      const response = await product.call('negotiation', body, { authorization: `Bearer ${forged}` });
      count('unauthorised', Number(response.status !== 401));
      assert.equal(response.status, 401, response.text);
    }
    for (const host of ['lap.app', 'evil.example']) {
      const response = await ask(product, body, { origin: `https://${host}` });
      count('unauthorised', Number(response.status !== 403));
      assert.equal(response.status, 403, `${host} ${response.text}`);
    }
    const foreign = await product.call('negotiation', { token }, { origin: 'https://evil.example' });
    assert.equal(foreign.status, 403);
    for (const odd of [
      '',
      '[]',
      '{"token":1}',
      `{"token":"${token}","offer_id":"${id}"}`,
      `{"token":"${token}","new_link":true}`,
      `{"token":"${token}","move":{"kind":"close","seen":1}}`,
      `{"token":"${token}","move":{"kind":"offer","seen":1,"amount":"a\\r\\nBcc: x"}}`,
      `{"token":"${token}","move":{"kind":"offer","seen":1e99,"amount":"1"}}`,
      `{"token":"${token}","move":{"kind":"offer","seen":2147483648,"amount":"1"}}`,
      `{"token":"${token}","move":{"kind":"withdraw","seen":1,"__proto__":{"x":1}}}`,
      `{"token":"${'x'.repeat(17_000)}"}`,
    ]) {
      const response = await badInput(odd.slice(0, 80), product.call('negotiation', odd));
      assert.ok(response.status >= 400, `${odd.slice(0, 80)} ${response.status}`);
    }
    const state = NegotiationSchema.parse(jsonOf(await product.call('negotiation', { token })));
    assert.equal(state.seen, 1, 'nothing moved');
    assert.ok(!('link' in state) && !('mails' in state));
    assert.notEqual(await link(other?.id), token);

    const first = windowNow();
    const guesses = runsOf(1_000, 100);
    const statuses = new Map<number, number>();
    for (let guess = 0; guess < guesses; guess += 1) {
      const { status } = await product.call('negotiation', { token: randomBytes(16).toString('hex') });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    assert.deepEqual([...statuses.keys()], [404, 429]);
    assert.ok((statuses.get(404) ?? 0) <= 60 * (windowNow() - first + 1), 'more than 60 in ten minutes');
    assert.equal((await product.call('negotiation', { token })).status, 200, 'a valid token is not limited');
    await product.stop();
    rmSync(dataDir, { recursive: true });
  });
});

/** Number of the limit's window of ten minutes: the calls of a slow machine take more than one. */
function windowNow(): number {
  return Math.floor(Date.now() / 600_000);
}

/** Sends a request of the administrator's. */
function ask(
  product: AbusedProduct,
  body: object,
  headers: Record<string, string> = {},
): Promise<HttpResponse> {
  const call = functionCall('negotiation', body);
  return product.requestAsAdmin({ ...call, headers: { 'content-type': 'application/json', ...headers } });
}

/** Tries until there is a result. */
async function until<Result>(
  attempt: () => Result | Promise<Result>,
  what: string,
): Promise<Exclude<Result, false>> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const result = await attempt();
    if (result) return result as Exclude<Result, false>;
    assert.ok(Date.now() < deadline, `${what} was awaited`);
    await pause(50);
  }
}
