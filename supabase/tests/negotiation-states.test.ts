/**
 * Each move after each move, and each status set by hand between them: what the row, the mails, the export, the buyer's page
 * and the link say, compared with a model. Generated: every sequence of three, and longer ones at random.
 */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from '../../tests/support/fast-check.ts';
import { ADMINISTRATOR, FUNCTIONS, OWNER, openStage, type Stage, submit } from './cast.ts';
import { ENGINES, type Row } from './engines.ts';

const SIDES = ['owner', 'buyer', 'hand'] as const;
const ACTIONS = {
  // `fall_through` is a take-back that rejects the offer.
  owner: ['counter', 'accept', 'decline', 'take_back', 'fall_through'],
  buyer: ['offer', 'accept', 'withdraw'],
  // Statuses; `pending` is as `negotiating`.
  hand: ['negotiating', 'accepted', 'rejected'],
} as const;
const ALL = SIDES.flatMap((side) => ACTIONS[side].map((kind) => ({ side, kind: kind as string })));
type Action = (typeof ALL)[number];
interface Move {
  side: 'owner' | 'buyer';
  kind: string;
  amount?: string;
}

const OFFERED = '1,000 € <script>';
const OWNERS = 'mailto:owner@example.com';

/** What the specification of a negotiation says, apart from the database. */
class Model {
  status = 'pending';
  readonly moves: Move[] = [];
  /** Whether the last move was mailed to the buyer, and whether any was. */
  isMailed = false;
  hadMail = false;

  get last() {
    return this.moves.at(-1);
  }

  /** The amount that was named last, by a move. */
  get named() {
    return this.moves.findLast(({ amount }) => amount !== undefined)?.amount;
  }

  get state() {
    if (this.status === 'accepted') return 'accepted';
    if (this.last?.kind === 'take_back' && this.status === 'rejected') return 'declined';
    const states: Record<string, string> = {
      decline: 'declined',
      withdraw: 'withdrawn',
      close: 'closed',
    };
    if (!this.last) return this.status === 'rejected' ? 'closed' : 'open';
    return states[this.last.kind] ?? 'open';
  }

  can(side: 'owner' | 'buyer'): string[] {
    if (side === 'buyer') {
      if (this.state !== 'open') return [];
      return this.last?.kind === 'counter' ? ['accept', 'offer', 'withdraw'] : ['offer', 'withdraw'];
    }
    if (this.state === 'accepted') return ['take_back', 'fall_through'];
    if (this.state === 'closed') return ['counter'];
    if (this.state !== 'open') return [];
    const standing = this.moves.findLast(({ kind }) => kind === 'counter' || kind === 'offer');
    return standing?.side === 'owner' ? ['counter', 'decline'] : ['counter', 'accept', 'decline'];
  }

  allows({ side, kind }: Action): boolean {
    return side === 'hand' ? kind !== this.status : this.can(side).includes(kind);
  }

  apply({ side, kind }: Action): void {
    if (side === 'hand') {
      const wasOpen = /counter|offer|take_back/.test(this.last?.kind ?? '') && /accepted|rejected/.test(kind);
      const wasAgreed = this.last?.kind === 'accept';
      this.status = kind;
      if (wasOpen || wasAgreed) this.moves.push({ side: 'owner', kind: 'close' });
      return;
    }
    const isAnswered = this.moves.some((move) => move.side === 'owner');
    const amount =
      kind === 'accept'
        ? (this.moves.findLast((move) => /counter|offer/.test(move.kind))?.amount ?? OFFERED)
        : /counter|offer/.test(kind)
          ? `$${4_000 + this.moves.length}`
          : undefined;
    const stored = kind === 'fall_through' ? 'take_back' : kind;
    this.moves.push({ side, kind: stored, ...(amount !== undefined && { amount }) });
    const isOver = /decline|withdraw|fall_through/.test(kind);
    const isOpen = side === 'buyer' && !isAnswered ? this.status : 'negotiating';
    this.status = kind === 'accept' ? 'accepted' : isOver ? 'rejected' : isOpen;
    // Both sides' acceptances, and the owner's other moves; a status set by hand is no move of theirs.
    this.isMailed = (side === 'owner' || kind === 'accept') && (stored !== 'take_back' || this.hadMail);
    this.hadMail ||= this.isMailed;
  }

  /** Days after its last move for which the buyer's link opens it. */
  get linkDays() {
    const isOver = /decline|withdraw|close/.test(this.last?.kind ?? '') || this.state === 'declined';
    return isOver && this.status !== 'accepted' ? 14 : 90;
  }
}

let stage: Stage;
before(async () => {
  // One engine: what follows from a move is the same statements on both, and negotiation.test.ts runs those on both.
  // PostgreSQL where it is installed, which is three times as fast; negotiation.test.ts runs on both.
  stage = await openStage(ENGINES.findLast(({ missing }) => !missing) as (typeof ENGINES)[number]);
});
after(() => stage.close());

const sql = (statement: string, ...parameters: unknown[]) => stage.as(OWNER, statement, parameters);
const value = (statement: string, ...parameters: unknown[]) => stage.value(OWNER, statement, parameters);

async function open() {
  const domain = `${randomUUID()}.example`;
  await sql('insert into private.listings (name) values ($1)', domain);
  const email = `${randomUUID()}@example.com`;
  const { id } = await submit(stage, { domain, email });
  const hash = createHash('sha256').update(randomUUID()).digest('hex');
  const owner = (move: unknown, link: unknown = null) =>
    stage.value(ADMINISTRATOR, 'select public.negotiate_as_owner($1, $2, $3, true)', [
      id,
      move && JSON.stringify(move),
      link && JSON.stringify(link),
    ]) as Promise<Row & { state: Row }>;
  const buyer = (move: unknown = null) =>
    stage.value(FUNCTIONS, `select public.negotiate_as_buyer($1, '[]', $2, $3, true)`, [
      hash,
      move && JSON.stringify(move),
      [OWNERS],
    ]) as Promise<Row & { state: Row }>;
  await owner(null, { number: 1, hash, nonce: '0'.repeat(32) });
  return { id, owner, buyer, target: `mailto:${email}` };
}

type Negotiation = Awaited<ReturnType<typeof open>>;

async function act(
  { id, owner, buyer }: Negotiation,
  { side, kind }: Action,
  model: Model,
): Promise<unknown> {
  const seen = model.moves.length + 1;
  if (side === 'hand') {
    await stage.as(ADMINISTRATOR, 'update public.offers set status = $2 where id = $1', [id, kind]);
    return 'made';
  }
  const amount = /counter|offer/.test(kind) ? { amount: `$${4_000 + model.moves.length}` } : {};
  const move = kind === 'fall_through' ? { kind: 'take_back', as: 'rejected' } : { kind };
  return (await (side === 'owner' ? owner : buyer)({ ...move, seen, ...amount })).outcome;
}

/** Compares everything that is shown of the offer with the model, after its last action. */
async function compare(negotiation: Negotiation, model: Model, path: string): Promise<void> {
  const { id, owner, buyer, target } = negotiation;
  const last = model.last;
  assert.equal(
    await value('select status from public.offers where id = $1', id),
    model.status,
    `status: ${path}`,
  );

  for (const [side, { state }] of [
    ['owner', await owner(null)],
    ['buyer', await buyer()],
  ] as const) {
    assert.deepEqual(
      [state.status, state.seen, state.can],
      [model.state, model.moves.length + 1, model.can(side).filter((kind) => kind !== 'fall_through')],
      `page of the ${side}: ${path}`,
    );
    const [, ...moves] = state.moves as Move[];
    const shown = moves.map((move) => ({
      side: move.side,
      kind: move.kind,
      ...(move.amount && { amount: move.amount }),
    }));
    assert.deepEqual(shown, model.moves, `moves of the ${side}: ${path}`);
  }

  const standings = (await stage.value(ADMINISTRATOR, 'select public.standings($1)', [[id]])) as Record<
    string,
    Row
  >;
  const { kind, amount, deal } = standings[String(id)] ?? {};
  const isAccepted = model.status === 'accepted';
  assert.deepEqual(
    [kind, amount, deal !== undefined],
    [last?.kind ?? (isAccepted ? 'close' : undefined), model.named, isAccepted],
    `row: ${path}`,
  );

  const exported = (await stage.value(FUNCTIONS, 'select public.export_offers(1)')) as { offers: Row[] };
  const [offer] = exported.offers;
  assert.deepEqual(
    [offer?.id, offer?.current_amount, offer?.agreed_amount],
    [id, model.named ?? OFFERED, isAccepted ? (model.named ?? OFFERED) : undefined],
    `export: ${path}`,
  );

  const number = model.moves.length + 1;
  const messages = await sql(
    `select kind, target, private.describe_delivery(array[id]) #> '{offers,0}' as offer
     from private.messages where offer_id = $1 and move_number = $2 order by kind`,
    id,
    number,
  );
  const expected = [];
  const move = { number, ...last };
  if (last?.side === 'buyer') expected.push({ kind: 'move', target: OWNERS, move, current: model.named });
  if (last && last.kind !== 'close' && model.isMailed)
    expected.push({ kind: 'reply', target, move, current: undefined });
  const queued = messages.map((message) => {
    const described = message.offer as { current_amount?: string; move: Move & { number: number } };
    const { number: its, side, kind: name, amount: named } = described.move;
    return {
      kind: message.kind,
      target: message.target,
      move: { number: its, side, kind: name, ...(named && { amount: named }) },
      current: described.current_amount,
    };
  });
  assert.deepEqual(queued, last ? expected : [], `mails: ${path}`);
}

/** Makes the link and its moves older: it opens the offer until its last day, and not after it. Ends the negotiation's walk. */
async function compareLink({ id, buyer }: Negotiation, model: Model, path: string): Promise<void> {
  for (const [days, outcome] of [
    [model.linkDays - 1, 'read'],
    [2, 'invalid'],
  ] as const) {
    // The trigger keeps moves as they are.
    await stage.maintain(`begin; set local session_replication_role = replica;
      update private.offer_moves set created_at = created_at - interval '${days} days' where offer_id = '${id}';
      update private.offer_links set created_at = created_at - interval '${days} days' where offer_id = '${id}';
      update private.deals set agreed_at = agreed_at - interval '${days} days' where offer_id = '${id}'; commit`);
    assert.equal((await buyer()).outcome, outcome, `link, ${model.linkDays} days: ${path}`);
  }
}

const nameOf = (actions: readonly Action[]) =>
  actions.map(({ side, kind }) => `${side} ${kind}`).join(', ') || 'none';

/** Carries out the actions that are possible, and compares what is shown after the last one. */
async function walk(actions: readonly Action[]): Promise<Model> {
  const negotiation = await open();
  const model = new Model();
  for (const action of actions) {
    assert.equal(await act(negotiation, action, model), 'made', nameOf(actions));
    model.apply(action);
  }
  await compare(negotiation, model, nameOf(actions));
  for (const action of ALL.filter((one) => one.side !== 'hand' && !model.allows(one))) {
    const outcome = await act(negotiation, action, model);
    assert.equal(outcome, 'not_possible', nameOf([...actions, action]));
  }
  await compareLink(negotiation, model, nameOf(actions));
  return model;
}

test('every sequence of three actions leaves what the model says', async () => {
  let walked = 0;
  const from = async (path: readonly Action[]): Promise<void> => {
    const model = await walk(path);
    walked += 1;
    if (path.length === 3) return;
    for (const action of ALL.filter((one) => model.allows(one))) await from([...path, action]);
  };
  await from([]);
  assert.ok(walked > 150, `${walked} sequences`);
});

test('longer sequences do, too', async () => {
  const picks = fc.array(fc.nat(), { minLength: 4, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(picks, async (numbers) => {
      const model = new Model();
      const actions: Action[] = [];
      for (const number of numbers) {
        const possible = ALL.filter((one) => model.allows(one));
        const action = possible[number % possible.length] as Action;
        actions.push(action);
        model.apply(action);
      }
      await walk(actions);
    }),
    { numRuns: 20 },
  );
});
