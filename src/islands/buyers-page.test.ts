/** What the buyer's link shows, by the state of the negotiation and of the deal. */
import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import type { Deal, Negotiation as Shown, StoredMove } from '#contract/negotiation.ts';
import { html, textOf } from '../../tests/support/rendered.ts';
import { ACCEPTED, AGREED, OFFERED as BARE_OFFER, COUNTERED } from '../../tests/support/sample-moves.ts';
import { de } from '../i18n/de.ts';
import { en } from '../i18n/en.ts';
import type { NegotiationState } from '../stores/negotiation.ts';

const { $negotiation } = await import('../stores/negotiation.ts');
const { Negotiation } = await import('./Negotiation.tsx');

const NOW = '2026-11-20T12:00:00Z';
const NAME = 'lanternworks.example';

const OFFERED: StoredMove = { ...BARE_OFFER, note: 'For a café.' };
const TAKEN_BACK: StoredMove = { number: 4, side: 'owner', kind: 'take_back', as: 'rejected', at: NOW };

const OFFERED_LINE = 'You offered $4,000Nov 18, 9:30 AMFor a café.';
const COUNTERED_LINE = 'The owner countered $5,000Nov 18, 11:00 AM';

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['Date'], now: Date.parse(NOW) });
});

type Props = Partial<Parameters<typeof Negotiation>[0]>;

/** The first rendering shows the store as it began. */
function render(state: NegotiationState, props: Props = {}): string {
  Object.assign($negotiation, { init: state });
  return html(Negotiation, { messages: en.negotiation, language: 'en', prefix: '', contacts: [], ...props });
}

function page(negotiation: Partial<Shown>, props?: Props, more: object = {}): string {
  const shown: Shown = {
    domain: NAME,
    status: 'open',
    seen: 1,
    moves: [OFFERED],
    can: ['offer', 'withdraw'],
    mails: true,
    ...negotiation,
  };
  return render({ status: 'shown', negotiation: shown, isSending: false, isNext: false, ...more }, props);
}

/** Without spaces that do not break. */
const linesOf = (markup: string) => textOf(markup).map((line) => line.replaceAll('\u00a0', ' '));

/** The lines between the title and the moves so far. */
function now(negotiation: Partial<Shown>, props?: Props, more?: object): string[] {
  const lines = linesOf(page(negotiation, props, more));
  return lines.slice(1, lines.indexOf('So far'));
}

const COUNTER: Partial<Shown> = { moves: [OFFERED, COUNTERED], can: ['accept', 'offer', 'withdraw'] };

test('an offer that is with the owner says by when and how the answer comes', () => {
  assert.deepEqual(linesOf(page({})), [
    `Your offer for ${NAME}`,
    'Your offer is with the owner',
    '$4,000',
    'You get an email when the owner answers, with a link to this page. Nothing is to be done until then.',
    'Offer another amount',
    'Withdraw',
    'So far',
    OFFERED_LINE,
    'Times are Coordinated Universal Time.',
  ]);
  assert.deepEqual(now({ answer_by: '2026-11-21T12:00:00Z', mails: false }, { owner: 'Ada Inc' }), [
    'Your offer is with Ada Inc',
    '$4,000',
    'Ada Inc answers by Saturday, November 21',
    'The answer appears on this page: keep its link. Nothing is to be done until then.',
    'Offer another amount',
    'Withdraw',
  ]);
  assert.ok(!now({ answer_by: NOW }).some((line) => line.includes('answers by')));
});

test('a counter-offer says what the owner asks for, until when, and what can be done', () => {
  const asks = ['The owner asks for', '$5,000', 'Valid until Wednesday, November 25 at 11:00 AM 5 days left'];
  const says = ['With the logo.', 'The owner, Nov 18, 11:00 AM'];
  const moves = ['Accept $5,000', 'Make another offer', 'Withdraw'];
  assert.deepEqual(now(COUNTER), [...asks, ...says, ...moves]);
  assert.deepEqual(linesOf(page(COUNTER)).slice(-3, -1), [OFFERED_LINE, COUNTERED_LINE]);
  // Translators leave a clear amount as it is.
  assert.match(
    page(COUNTER),
    /<li class="mine"><b><span>You offered <bdi>\$4,000.*<li><b><span>The owner countered <bdi translate="no">/,
  );
  assert.match(page(COUNTER), /<p class="amount"[^>]* translate="no">\$5,000/);
  const left = (valid_until: string) =>
    now({ ...COUNTER, moves: [OFFERED, { ...COUNTERED, valid_until }] })[2]?.replace(/.* [AP]M ?/, '');
  assert.equal(left('2026-11-21T13:00:00Z'), '1 day left');
  assert.equal(left('2026-11-21T11:00:00Z'), 'less than a day left');
  assert.deepEqual(now({ ...COUNTER, can: ['offer', 'withdraw'] }), [
    "The owner's counter-offer has ended",
    '$5,000',
    'Valid until Wednesday, November 25 at 11:00 AM',
    ...says,
    'Make another offer',
    'Withdraw',
  ]);
  for (const [failure, text] of [
    ['moved', en.negotiation.failures.moved],
    ['of a later version', en.negotiation.failures.unexpected],
  ])
    assert.deepEqual(now(COUNTER, {}, { failure }), [...asks, ...says, moves[0], text, moves[1], moves[2]]);
  const ended = now({ ...COUNTER, can: [] }, {}, { failure: 'not_possible' });
  assert.equal(ended.at(-1), en.negotiation.failures.not_possible);
});

test('a name stands from left to right in any script', () => {
  const markup = page({ domain: 'xn--kgbechtv.example', shown: 'إختبار.example' });
  const name = /<h1>.*?<bdi dir="ltr">(.*?)<\/bdi>/.exec(markup)?.[1];
  assert.deepEqual(textOf(name ?? ''), ['إختبار.example']);
});

test('the one solid button is the next step: none while the answer is the owner’s', () => {
  const buttons = (negotiation: Partial<Shown>) =>
    [...page(negotiation).matchAll(/<button[^>]*class="([^"]*)"[^>]*>(.*?)<\/button>/g)].map(
      ([, look, text]) => [look, ...textOf(text ?? '')],
    );
  const withdraw = ['link soft', 'Withdraw'];
  assert.deepEqual(buttons({}), [['link', 'Offer another amount'], withdraw]);
  assert.deepEqual(buttons(COUNTER), [['button', 'Accept $5,000'], ['link', 'Make another offer'], withdraw]);
  assert.deepEqual(buttons({ ...COUNTER, can: ['offer'] }), [['button', 'Make another offer']]);
});

test('what has ended says how, and that nothing is due', () => {
  const ended = (status: Shown['status'], ...moves: StoredMove[]) => now({ status, can: [], moves });
  assert.deepEqual(ended('withdrawn', OFFERED, { number: 2, side: 'buyer', kind: 'withdraw', at: NOW }), [
    'You withdrew your offer',
    `Make a new offer for ${NAME}`,
  ]);
  const sorry = { number: 2, side: 'owner', kind: 'decline', at: NOW, note: 'Sorry.' } as const;
  assert.deepEqual(ended('declined', OFFERED, sorry), [
    'The owner declined your offer',
    'Sorry.',
    'The owner, Nov 20, 12:00 PM',
  ]);
  assert.deepEqual(ended('closed', OFFERED, { number: 2, side: 'owner', kind: 'close', at: NOW }), [
    'The owner closed this offer',
  ]);
  const agreed = [OFFERED, COUNTERED, ACCEPTED];
  assert.deepEqual(ended('declined', ...agreed, TAKEN_BACK), [
    'The sale fell through',
    en.negotiation.notDue,
  ]);
  assert.deepEqual(now({ moves: [...agreed, { ...TAKEN_BACK, as: 'open' }], can: ['offer'] }), [
    "The owner's counter-offer has ended",
    '$5,000',
    en.negotiation.notDue,
    'Make another offer',
  ]);
  // Accepted by hand in a database of before deals.
  assert.equal(ended('accepted', ...agreed)[0], 'Agreed: $5,000');
  assert.match(
    page({ status: 'withdrawn', can: [] }, { prefix: '/de' }),
    new RegExp(`href="https://${NAME}/de/"`),
  );
});

function deal(changed: Partial<Deal>, negotiation: Partial<Shown> = {}, props?: Props): string[] {
  const moves = [OFFERED, COUNTERED, ACCEPTED];
  return linesOf(
    page({ status: 'accepted', can: [], moves, deal: { ...AGREED, ...changed }, ...negotiation }, props),
  ).slice(0, -4);
}

test('a deal says what was agreed, how it is paid, and what comes next', () => {
  const reference = ['Reference', 'LAN-7F3KWrite it into the payment, so that the owner finds it.', 'Copy'];
  const steps = ['Where it stands', 'AgreedNov 19, 8:00 AM'];
  const later = [
    'You pay',
    `The owner transfers ${NAME}`,
    `${NAME} is yoursyou confirm, and the deal is done`,
    'Times are Coordinated Universal Time.',
  ];
  assert.deepEqual(deal({}), [
    `Your deal for ${NAME}`,
    'Agreed',
    '$5,000',
    ...reference,
    'The owner will write to you about payment and transfer.',
    ...steps,
    ...later,
  ]);
  const pay = { url: 'https://pay.example/?a=5000&r=LAN-7F3K', host: 'pay.example' };
  assert.deepEqual(deal({ pay_by: '2026-11-21', pay }, { after_payment: '<p>After.</p>' }).slice(3), [
    'Pay by Saturday, November 21 1 day left',
    'Pay $5,000',
    'Opens pay.example. Amount and reference LAN-7F3K are filled in there.',
    ...steps,
    'You payby Saturday, November 21',
    ...later.slice(1),
    'What happens after you paid',
    'After.',
  ]);
  for (const [url, text, hasReference] of [
    ['https://pay.example/5000', 'The amount is filled in there.', true],
    [
      'https://pay.example/LAN-7F3K',
      'The reference LAN-7F3K is filled in there. Check that the amount is $5,000.',
      false,
    ],
    ['https://pay.example/', 'Check there that the amount is $5,000.', true],
  ] as const)
    assert.deepEqual(deal({ pay: { url, host: 'pay.example' } }).slice(3, 6), [
      'Pay $5,000',
      `Opens pay.example. ${text}`,
      hasReference ? 'Reference' : 'Where it stands',
    ]);
  for (const [pay_by, text] of [
    ['2026-11-19', 'Pay by Thursday, November 19 this day has passed'],
    ['2026-11-20', 'Pay by Friday, November 20 today is the last day'],
    ['2026-12-04', 'Pay by Friday, December 4 14 days left'],
  ] as const)
    assert.equal(deal({ pay_by, pay })[3], text);
  // An amount that can be read in two ways, or is a slip, has no button.
  const unclear = { ...COUNTERED, amount: '5 to 6 k', value: null, currency: null };
  const long = { ...COUNTERED, amount: '$12345678.90', value: 12345678.9 };
  for (const counter of [unclear, long]) {
    const written = deal({ pay }, { moves: [OFFERED, counter, ACCEPTED] });
    assert.deepEqual(written.slice(2, 4), [counter.amount, 'Reference']);
  }
  assert.ok(deal({}, {}, { owner: 'Ada Inc' })[4]?.endsWith('so that Ada Inc finds it.'));
});

test('a deal follows its steps to the end', () => {
  const after_payment = '<p>After.</p>';
  const paid = deal({ paid_at: NOW }, { after_payment });
  assert.deepEqual(paid.slice(1, 4), ['Paid', '$5,000', `The owner transfers ${NAME} next.`]);
  assert.ok(paid.includes('You paidNov 20, 12:00 PM') && paid.includes('After.'));
  const transferred = deal({ paid_at: NOW, transferred_at: NOW });
  assert.deepEqual(transferred.slice(1, 4), [
    'Transferred',
    '$5,000',
    `The owner has transferred ${NAME}. Please confirm the transfer where your registrar asks for it.`,
  ]);
  assert.ok(transferred.includes(`The owner transferred ${NAME}Nov 20, 12:00 PM`));
  const sold = deal({ paid_at: NOW, transferred_at: NOW, sold_at: NOW }, { after_payment });
  assert.deepEqual(sold.slice(1, 4), [`${NAME} is yours`, '$5,000', 'The deal is done.']);
  assert.ok(sold.includes(`${NAME} is yoursNov 20, 12:00 PM`) && !sold.includes('After.'));
  const present = (changed: Partial<Deal>) =>
    [
      ...page({ status: 'accepted', can: [], deal: { ...AGREED, ...changed } }).matchAll(
        /aria-current="step"/g,
      ),
    ].length;
  assert.equal(present({}), 1);
  assert.equal(present({ paid_at: NOW, transferred_at: NOW, sold_at: NOW }), 0);
});

test('the moves of a deal are listed where one of them has a note that is not shown above', () => {
  const bare = [{ ...OFFERED, note: null }, COUNTERED, ACCEPTED];
  const lines = (moves: StoredMove[]) => linesOf(page({ status: 'accepted', can: [], deal: AGREED, moves }));
  assert.ok(lines(bare).includes('So far'));
  const byOwner = { ...ACCEPTED, number: 2, side: 'owner', note: 'Welcome.' } as const;
  const welcomed = lines([{ ...OFFERED, note: null }, byOwner]);
  assert.ok(welcomed.includes('Welcome.') && !welcomed.includes('So far'));
});

test('the seller is named with what is known of them, and one address once', () => {
  const seller = (props: Props) => {
    const lines = linesOf(page({}, props));
    return lines.slice(lines.indexOf('Times are Coordinated Universal Time.') + 1);
  };
  const site = { url: 'https://owner.example/', text: 'Imprint' };
  const mail = { url: 'mailto:sales@owner.example', text: 'Mail' };
  assert.deepEqual(seller({}), []);
  assert.deepEqual(seller({ owner: 'Ada Inc' }), ['Your seller', 'Ada Inc']);
  assert.deepEqual(seller({ contact: 'a@owner.example' }), ['Your seller', 'a@owner.example']);
  assert.deepEqual(seller({ contact: 'a@owner.example', contacts: [site] }), [
    'Your seller',
    'a@owner.exampleImprint',
  ]);
  assert.deepEqual(seller({ contact: 'a@owner.example', contacts: [mail] }), ['Your seller', 'Mail']);
});

test('a link that opens nothing says why, and how to reach the seller', () => {
  const { loading, failed, retry, cut, invalid } = de.negotiation;
  const lines = (status: 'loading' | 'failed' | 'cut' | 'invalid', contact?: string) =>
    linesOf(render({ status }, { messages: de.negotiation, language: 'de', prefix: '/de', contact }));
  assert.deepEqual(lines('loading'), [loading]);
  assert.deepEqual(lines('failed', 'a@owner.example'), [failed, retry]);
  const typed = [cut.title, cut.text, cut.code, cut.hint, cut.open];
  assert.deepEqual(lines('cut'), typed);
  assert.deepEqual(lines('cut', 'a@owner.example'), [...typed, cut.write, 'a@owner.example']);
  assert.deepEqual(lines('invalid'), [invalid.title, invalid.text]);
  assert.deepEqual(lines('invalid', 'a@owner.example'), [invalid.title, invalid.text, 'a@owner.example']);
});
