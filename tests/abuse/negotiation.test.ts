/** Moves of a negotiation, the product or its thread ended between a move and its mail. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Negotiation, NegotiationSchema } from '#contract/negotiation.ts';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { readAllOffers, seedOffers } from '../support/calls.ts';
import { freePort } from '../support/free-port.ts';
import { jsonOf } from '../support/http-client.ts';
import { startAbused } from './abused-product.ts';
import { killPart, type Part } from './kill-part.ts';
import { startMessageServers } from './message-servers.ts';
import { ask } from './owner.ts';
import { seededRandom } from './seeded-random.ts';
import { runsOf } from './short-form.ts';
import { waitForExit } from './start-process.ts';

const VICTIMS: Part[] = ['thread', 'product', 'product'];
/** Moves that a side can make. */
const MOVES_OF_A_SIDE = 10;
/** A mail whose sender was killed is due again after its lease of 60 s. */
const TIMEOUT_MS = 120_000;

test('the end of the process or of its thread between a move and its mail loses neither, and a move sent again is one', {
  timeout: runsOf(1_800_000, 2 * TIMEOUT_MS),
}, async (t) => {
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
  // Each fourth is pending.
  await seedOffers({ dataDir }, 4 * Math.ceil(rounds / 2 / MOVES_OF_A_SIDE));
  const pending = (await readAllOffers({ dataDir })).filter(({ status }) => status === 'pending');
  const offers = pending.map(({ id }) => id);
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
