/** What an opened offer shows, by the state of its negotiation and its deal, and by what the owner has typed. */
import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { createElement, type ReactNode } from 'react';
import type { Returned } from '#contract/calls.ts';
import type { Deal, Negotiation, Payment, StoredMove } from '#contract/negotiation.ts';
import type { Offer } from '#contract/offer.ts';
import { html, htmlOf, press, textOf } from '../../tests/support/rendered.ts';
import { ACCEPTED, AGREED, COUNTERED, OFFERED } from '../../tests/support/sample-moves.ts';
import type { Decline } from '../stores/decline-others.ts';
import type { Draft } from '../stores/negotiation.ts';

const { historyQuery, standingsQuery } = await import('../stores/admin.ts');
const { declineOthers } = await import('../stores/decline-admin.ts');
const { $drafts, $overtaken, $ticked, negotiate, negotiationQuery } = await import(
  '../stores/negotiation-admin.ts'
);
const { Answer } = await import('./Answer.tsx');
const { DealSteps, EndDeal, Overtaken } = await import('./Deal.tsx');
const { default: DeclineOthers } = await import('./DeclineOthers.tsx');
const { default: OfferHistory } = await import('./OfferHistory.tsx');
const { ShownListings } = await import('./listings.ts');
const { Timeline } = await import('./Timeline.tsx');
const { DealBox } = await import('./WhereToPay.tsx');

const NOW = '2026-11-20T12:00:00Z';
const NAME = 'lanternworks.example';
const LINK = 'https://owner.example/offer/#TOKEN';

const OFFER = {
  id: '3a1e7a0c-0000-4000-8000-000000000001',
  created_at: '2026-11-18T09:30:00Z',
  domain_name: NAME,
  offer_amount: '$4,000',
  customer_name: 'Ada',
  customer_email: 'ada@example.com',
  status: 'negotiating',
} as Offer;

const FELL_THROUGH: StoredMove = {
  number: 4,
  side: 'owner',
  kind: 'take_back',
  as: 'rejected',
  at: '2026-11-20T08:00:00Z',
  by: 'owner@example.com',
};

const DEAL: Deal = { ...AGREED, seen: 0, changes: [] };

const PAYMENT: Payment = {
  ways: [
    { way: 'template', url: 'https://pay.example/?amount=5000', host: 'pay.example' },
    { way: 'closing', html: '<p>IBAN</p>' },
  ],
  way: 'template',
  hosts: ['pay.example', 'bank.example'],
  pay_days: 14,
};

type State = Partial<Negotiation>;
type Listing = { state: string; price: string | null } | null;

const negotiation = (state: State): Negotiation => ({
  domain: NAME,
  status: 'open',
  seen: 1,
  moves: [OFFERED],
  can: ['counter', 'accept', 'decline'],
  mails: true,
  ...state,
});

const draft = (written: Partial<Draft>) =>
  $drafts.set({ [OFFER.id]: { kind: 'counter', days: 7, ...written } });

const withListing = (listing: Listing | undefined, ...children: ReactNode[]) =>
  createElement(ShownListings, { value: { [NAME]: listing as never } }, ...children);

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['Date'], now: Date.parse(NOW) });
  $drafts.set({});
  $ticked.set({});
  declineOthers.$declines.set({});
});

function timeline(state: State | undefined, changes: Returned<'offer_history'> = []): string[] {
  const lines = textOf(html(Timeline, { offer: OFFER, negotiation: state && negotiation(state), changes }));
  return lines.slice(1, -1);
}

test('the timeline has what happened, in its order, and what moved the status or a deal with it once', () => {
  const paid = {
    number: 1,
    field: 'paid',
    from: false,
    to: true,
    at: '2026-11-19T20:00:00Z',
    by: 'b@example.com',
  };
  const change = (old_status: string, new_status: string, changed_at: string, changed_by_email?: string) =>
    ({ old_status, new_status, changed_at, changed_by_email }) as Returned<'offer_history'>[number];
  assert.deepEqual(
    timeline(
      {
        moves: [OFFERED, COUNTERED, ACCEPTED, { ...FELL_THROUGH, note: 'Not paid.' }],
        ended: [{ ...DEAL, changes: [paid], ended_at: FELL_THROUGH.at }],
      },
      [
        change('rejected', 'pending', '2026-11-20T09:00:00Z', 'b@example.com'),
        change('negotiating', 'accepted', ACCEPTED.at),
      ],
    ),
    [
      'Ada offered $4,000Received Nov 18, 2026, 9:30 AM',
      'You countered $5,000Nov 18, 2026, 11:00 AM by owner@example.com · valid until Nov 25, 2026, 11:00 AMWith the logo.',
      'Ada accepted $5,000Nov 19, 2026, 8:00 AM · negotiating → accepted · reference LAN-7F3K',
      'You marked it as paidNov 19, 2026, 8:00 PM by b@example.com',
      'You ended the deal: it fell through Nov 20, 2026, 8:00 AM by owner@example.com · LAN-7F3K endedNot paid.',
      'rejected → pendingNov 20, 2026, 9:00 AM by b@example.com',
    ],
  );
  const both = timeline({ moves: [OFFERED, { ...ACCEPTED, side: 'owner', number: 2 }], deal: DEAL });
  assert.match(both.at(-1) ?? '', /^You accepted \$4,000.* · reference LAN-7F3K$/);
  const markup = html(Timeline, {
    offer: OFFER,
    negotiation: negotiation({ moves: [OFFERED, COUNTERED] }),
    changes: [],
  });
  assert.match(markup, /<li><b><bdi>Ada<\/bdi> offered <bdi>\$4,000</);
  assert.match(markup, /<li class="mine"><b><bdi>You<\/bdi> countered <bdi translate="no">\$5,000</);
  const offer = 'Ada offered $4,000Received Nov 18, 2026, 9:30 AM';
  assert.deepEqual(timeline(undefined), [offer]);
  assert.deepEqual(timeline({ moves: [] }), [offer]);
  for (const [side, kind, text] of [
    ['owner', 'decline', 'You declined '],
    ['buyer', 'withdraw', 'Ada withdrew the offer '],
    ['owner', 'close', 'You closed the offer by its status '],
    ['owner', 'accept', 'You accepted $5,000'],
    ['owner', 'take_back', 'You took the acceptance back '],
    ['buyer', 'later', 'Ada later '],
  ] as const)
    assert.equal(
      timeline({ moves: [OFFERED, COUNTERED, { number: 3, side, kind, at: ACCEPTED.at }] }).at(-1),
      `${text}Nov 19, 2026, 8:00 AM`,
    );
  // Each acceptance has the amount of its own time.
  const [, first, , countered, second] = timeline({
    moves: [
      OFFERED,
      { ...ACCEPTED, side: 'owner', number: 2 },
      { ...FELL_THROUGH, number: 3, as: 'open', at: ACCEPTED.at },
      { ...COUNTERED, number: 4, at: ACCEPTED.at, note: 'As \u202esaid.' },
      { ...ACCEPTED, number: 5 },
    ],
  });
  assert.match(first ?? '', /^You accepted \$4,000/);
  assert.match(countered ?? '', /As said\.$/);
  assert.match(second ?? '', /^Ada accepted \$5,000/);
});

test('an opened offer waits for its history, then has its message by lines, and why its confirmation was rejected', () => {
  const opened = (history?: object) =>
    html(OfferHistory, { id: 'h', offer: OFFER }, [
      [negotiationQuery(OFFER.id).queryKey, negotiation({})],
      ...(history ? [[historyQuery(OFFER.id).queryKey, history] as const] : []),
    ]);
  assert.match(opened(), /aria-busy="true".*<p>Loading history\.\.\.<\/p>/);
  const [bare, told] = [
    opened({ changes: [] }),
    opened({ changes: [], message: 'Is it\n\u202efree?', confirmationRejected: '550 <b>unknown</b>' }),
  ];
  assert.doesNotMatch(bare, /Loading history|Message|rejected/);
  assert.match(told, /aria-label="Message" tabindex="0"><bdi>Is it<\/bdi>\n<bdi>free\?<\/bdi><\/div>/i);
  assert.ok(
    textOf(told).includes(
      'Confirmation rejected: the address may be wrong. Response of the mail server: 550 <b>unknown</b>',
    ),
  );
});

function answer(state: State, listing?: Listing): string {
  return htmlOf(withListing(listing, createElement(Answer, { offer: OFFER })), [
    [negotiationQuery(OFFER.id).queryKey, negotiation(state)],
  ]);
}

test('an answer says what its mail is for, or that none is sent', () => {
  const end = (state: State, kind: Draft['kind'], listing?: Listing) => {
    draft({ kind });
    return textOf(answer(state, listing)).at(-1);
  };
  assert.equal(end({}, 'counter'), 'Mail to ada@example.com, with the link to answer.');
  assert.equal(end({}, 'accept'), 'Mail to ada@example.com, with the link to the page of the deal.');
  assert.equal(end({}, 'decline'), 'Mail to ada@example.com, with the link to read this for 14 days.');
  assert.equal(end({}, 'decline', { state: 'sold', price: null }), 'Mail to ada@example.com.');
  assert.equal(
    end({ language: 'de' }, 'accept'),
    'Mail to ada@example.com, in German, with the link to the page of the deal.',
  );
  assert.equal(end({ language: 'x' }, 'counter'), 'Mail to ada@example.com, with the link to answer.');
  assert.equal(end({ mails: false }, 'decline'), 'No mail is sent: copy the link.');
});

test('a counter-offer has its amount, its share of the offer, and how long it is valid', () => {
  const lines = () => textOf(answer({}, { state: 'for_sale', price: '$6,000' }));
  assert.deepEqual(lines().slice(0, 12), [
    'Answer',
    'Counter',
    'Accept',
    'Decline',
    'Your amount asking $6,000',
    'Valid for until Nov 27, 2026, 12:00 PM',
    '3 days',
    '7 days',
    '14 days',
    'Note (optional) at most 1,000 characters',
    'The mail',
    'Type an amount to see it.',
  ]);
  draft({ amount: '$5,000', days: 3 });
  const [, , , , , distance, valid] = lines();
  assert.equal(distance, '$1,000 above the offer, 83 % of asking');
  assert.equal(valid, 'Valid for until Nov 23, 2026, 12:00 PM');
  draft({ amount: '5000', isAsked: true });
  assert.ok(lines().includes('“5000” names no currency. Add it, or press Send again to send it as it is.'));
  draft({ amount: '5000' });
  assert.ok(!lines().some((line) => line.includes('names no currency')));
  draft({ kind: 'accept', amount: '$5,000' });
  assert.ok(!lines().some((line) => line.startsWith('Your amount')));
  draft({ amount: '$5,000', days: 14 });
  assert.match(answer({}), /checked=""\/>14 days/);
  // The buyer's last offer, and not the first or the owner's.
  const again = { ...OFFERED, number: 3, amount: '$4,500', value: 4500 };
  const accepted = { ...ACCEPTED, number: 4 };
  assert.ok(
    textOf(answer({ moves: [OFFERED, again, COUNTERED, accepted] })).includes('$500 above the offer'),
  );
  // Where only declining is possible, the draft's kind is not.
  draft({ kind: 'accept' });
  assert.match(answer({ can: ['decline'] }), /checked=""\/>Decline/);
});

test('a negotiation that has ended says how, and what is left to do', () => {
  const ended = (state: State, listing?: Listing) => textOf(answer({ can: [], ...state }, listing)).slice(1);
  const link = [
    'Link for the buyer',
    'Copy link',
    'Write mail',
    'New link',
    'New link: the old one stops working. For a wrong address or a forwarded mail.',
  ];
  const forSale = { state: 'for_sale', price: null };
  const reserved = { state: 'reserved', price: null };
  const readable = ' The buyer can read this for 14 days by the link below.';
  assert.deepEqual(ended({ status: 'declined', link: LINK }, forSale), [`You declined.${readable}`, ...link]);
  assert.deepEqual(ended({ status: 'declined', link: LINK }, reserved), ['You declined.', ...link]);
  assert.deepEqual(ended({ status: 'declined', link: LINK }, null), ['You declined.', ...link]);
  assert.deepEqual(ended({ status: 'declined' }, forSale), ['You declined.']);
  assert.deepEqual(ended({ status: 'withdrawn', link: LINK }, forSale), [
    'The buyer withdrew the offer.',
    ...link,
  ]);
  assert.deepEqual(ended({ status: 'closed' }), [
    'You set the status by hand: the buyer can make no more moves, and gets no mail.',
  ]);
  const moves = [OFFERED, COUNTERED, ACCEPTED, FELL_THROUGH];
  assert.deepEqual(ended({ status: 'declined', moves, link: LINK }, forSale), [
    `The deal fell through.${readable}`,
    ...link,
  ]);
  assert.deepEqual(ended({ status: 'declined', moves }, reserved), [
    'The deal fell through.',
    'The name is still reserved. To put it up for sale again:',
  ]);
  assert.deepEqual(ended({ moves }, { state: 'sold', price: null }), [
    'The name is still marked as sold, and neither side can make a move. To put it up for sale again:',
  ]);
});

function deal(changed: Partial<Deal>, state: State = {}, listing?: Listing): string {
  const props = {
    offer: OFFER,
    negotiation: negotiation({
      status: 'accepted',
      can: ['take_back'],
      moves: [OFFERED, COUNTERED, ACCEPTED],
      ...state,
    }),
    deal: { ...DEAL, ...changed },
  };
  return htmlOf(
    withListing(
      listing,
      createElement(DealSteps, props),
      createElement(DealBox, props),
      createElement(EndDeal, props),
    ),
  );
}

test('a deal shows its steps, what the present one waits for, and its one button', () => {
  const steps = (changed: Partial<Deal>, listing?: Listing) => textOf(deal(changed, {}, listing));
  assert.deepEqual(steps({ pay_by: '2026-11-18' }), [
    'Agreed: $5,000',
    'Reference LAN-7F3K',
    'AgreedNov 19, 2026',
    'PaidOverdue by 2 d · by Wed, Nov 18once $5,000 has arrived',
    'Mark as paid',
    'Transferredafter the payment',
    'Soldon your pages',
    'Take back',
    'The offer is open again, as before the agreement. Asks once.',
    'Fell through',
    `The offer is rejected with a note, ${NAME} stays for sale, and the buyer’s page says so. Asks once.`,
  ]);
  for (const [pay_by, text] of [
    ['2026-11-20', 'by Fri, Nov 20 · today'],
    ['2026-11-21', 'by Sat, Nov 21 · 1 day left'],
    ['2026-12-04', 'by Fri, Dec 4 · 14 days left'],
    [null, ''],
  ] as const)
    assert.equal(steps({ pay_by })[3], `Paid${text}once $5,000 has arrived`);
  for (const [listing, state, after] of [
    [{ state: 'for_sale', price: null }, ' · still for sale to others', 'stays for sale'],
    [{ state: 'reserved', price: null }, ' · reserved', 'stays reserved until you put it up for sale'],
    [
      { state: 'sold', price: null },
      ' · sold on your pages',
      'stays marked as sold until you put it up for sale',
    ],
    [null, ' · not in the catalogue', 'is not in the catalogue'],
  ] as const) {
    const lines = steps({}, listing);
    assert.equal(lines[2], `AgreedNov 19, 2026${state}`);
    assert.ok(lines.at(-1)?.includes(` ${NAME} ${after},`), after);
  }
  const changes = [
    { number: 1, field: 'paid', from: false, to: true, at: NOW, by: 'a@example.com' },
    { number: 2, field: 'paid', from: false, to: true, at: NOW, by: 'b@example.com' },
    { number: 3, field: 'pay_by', from: null, to: null, at: NOW, by: 'c@example.com' },
  ];
  assert.deepEqual(steps({ paid_at: NOW, changes }).slice(3, 8), [
    'PaidNov 20, 2026 by b@example.com',
    `Transferredonce the buyer has ${NAME}`,
    'Mark as transferred',
    'Soldon your pages',
    'Paid.',
  ]);
  assert.deepEqual(steps({ paid_at: NOW, transferred_at: NOW }).slice(4, 8), [
    'TransferredNov 20, 2026',
    'Soldon your pages',
    'Mark as sold',
    'Transferred.',
  ]);
  assert.deepEqual(steps({ paid_at: NOW, transferred_at: NOW, sold_at: NOW }).slice(4, 7), [
    'TransferredNov 20, 2026',
    'SoldNov 20, 2026',
    'Sold.',
  ]);
});

test('the steps of a deal are marked, and a change of another administrator is reported', () => {
  const marks = (changed: Partial<Deal>) =>
    [
      ...deal(changed).matchAll(
        /<li data-state="(\w+)"( aria-current="step")?><i role="img" aria-label="(\w+)">(<svg)?/g,
      ),
    ].map(([, ...found]) => found.map((one) => one?.trim().slice(0, 7)));
  const done = ['done', undefined, 'Done', '<svg'];
  assert.deepEqual(marks({ paid_at: NOW }), [
    done,
    done,
    ['present', 'aria-cu', 'Next', undefined],
    ['later', undefined, 'Later', undefined],
  ]);
  assert.match(deal({}), /Agreed: <bdi translate="no">\$5,000/);
  const overtaken = () => textOf(html(Overtaken, { id: OFFER.id }));
  assert.deepEqual(overtaken(), []);
  $overtaken.set(new Set([OFFER.id]));
  assert.deepEqual(overtaken(), [
    'The deal was changed in the meantime: this is how it is now. Please try again.',
  ]);
  $overtaken.set(new Set());
});

test('a deal offers the state of its name that its last step calls for', () => {
  const offers = (changed: Partial<Deal>, listing?: Listing) =>
    deal(changed, {}, listing).split('name-state').length - 1;
  const sold = { paid_at: NOW, transferred_at: NOW, sold_at: NOW };
  const state = (of: string) => ({ state: of, price: null });
  for (const [changed, listing, expected] of [
    [{}, state('for_sale'), 1],
    [{ paid_at: NOW, transferred_at: NOW }, state('for_sale'), 1],
    [{}, state('reserved'), 0],
    [{}, state('sold'), 0],
    [{}, null, 0],
    [sold, state('for_sale'), 1],
    [sold, state('reserved'), 1],
    [sold, state('sold'), 0],
  ] as const)
    assert.equal(offers(changed, listing), expected, JSON.stringify([changed, listing]));
  draft({ ending: 'open' });
  assert.equal(offers({}, state('for_sale')), 0);
});

test('a step that was just ticked can be undone, until the deal is changed again', () => {
  $ticked.set({ [OFFER.id]: { step: 'paid', seen: 1 } });
  const paid = { paid_at: NOW, seen: 1 };
  const pressed = deal(paid);
  assert.match(pressed, /<button[^>]* class="word" [^>]*aria-label="Undo: Mark as paid"/);
  assert.match(
    pressed,
    /<button[^>]* class="button" data-next="true" aria-disabled="false"><span>Mark as transferred/,
  );
  assert.ok(!textOf(deal({ ...paid, seen: 2 })).includes('Undo'));
  $ticked.set({ [OFFER.id]: { step: 'transferred', seen: 1 } });
  assert.ok(!textOf(deal(paid)).includes('Undo'));
});

test('the end of a deal is asked about in place of its buttons, with the mail about it', () => {
  const ask = (ending: NonNullable<Draft['ending']>, state: State) => {
    draft({ ending });
    const lines = textOf(deal({}, state));
    assert.ok(!lines.includes('Mark as paid') && !lines.includes('Fell through'));
    return lines.slice(6);
  };
  assert.deepEqual(ask('rejected', { had_mail: true }), [
    'Did the deal with Ada fall through?',
    `The offer is rejected, ${NAME} stays for sale, and the buyer’s page shows this note.`,
    'The buyer gets a mail about it.',
    'Note (optional) at most 1,000 characters',
    'The mail',
    'Loading...',
    'It fell through',
    'Keep the deal',
  ]);
  for (const state of [{ had_mail: false }, { had_mail: true, mails: false }])
    assert.deepEqual(ask('open', state), [
      'Take back your agreement with Ada?',
      'The offer is open again: it waits for your answer, and the buyer can pay no more.',
      'No mail is sent: the buyer’s page says so.',
      'Take back',
      'Keep the deal',
    ]);
  draft({ ending: 'open' });
  const done = textOf(deal({}, { can: [] }));
  assert.ok(!done.includes('Keep the deal') && !done.includes('Take back'));
});

test('where the buyer pays is shown as it is, as it was chosen, and why nowhere', () => {
  const box = (state: State, changed: Partial<Deal> = {}) => {
    const lines = textOf(deal(changed, state));
    return lines.slice(lines.indexOf('Where to pay') + 1, lines.lastIndexOf('Take back'));
  };
  const about = 'The buyer sees this on the page of the deal, and in the mail about it.';
  const ways = [
    'Link from your templatepay.example/?amount=5000',
    'Link for this dealPaste one that begins with https://',
    'Closing textIBAN',
  ];
  assert.deepEqual(box({ payment: PAYMENT }, { pay_by: '2026-12-04' }), [
    about,
    ...ways,
    'The buyer sees a button that opens pay.example.',
    'Pay by',
  ]);
  assert.deepEqual(box({ payment: { ...PAYMENT, way: 'closing', pay_days: null, hosts: [] } }), [
    about,
    ways[0],
    ways[2],
    'The buyer sees:',
    'IBAN',
  ]);
  assert.match(deal({}, { payment: PAYMENT }), /checked=""\/><span><b>Link from your template/);
  const long = { way: 'closing', html: `<p>${'word '.repeat(30)}</p>` } as const;
  const [, shortened = '', , whole] = box({
    payment: { ...PAYMENT, ways: [long], way: 'closing', pay_days: null, hosts: [] },
  });
  assert.ok(shortened.length < 100 && shortened.endsWith('…'));
  assert.equal(whole?.length, 149);
  draft({ way: 'link', link: 'https://bank.example/2' });
  for (const [mails, text] of [
    [true, 'All owners get a mail about each change of it.'],
    [false, 'No mail is sent about a change of it: mails are not set up.'],
  ] as const)
    assert.deepEqual(box({ payment: PAYMENT, mails }).slice(4), [
      'Link to pay.example, bank.example',
      text,
      'Show this to the buyer',
      'Pay by',
      'No date, and no reminder to the buyer.',
    ]);
  const stored = { way: 'link', url: 'https://bank.example/2', host: 'bank.example' } as const;
  const linked: Payment = { ...PAYMENT, ways: [...PAYMENT.ways, stored], way: 'link', pay_days: null };
  assert.deepEqual(box({ payment: linked }).slice(6), ['The buyer sees a button that opens bank.example.']);
  // What was changed is not what the buyer sees.
  draft({ way: 'link', link: 'https://bank.example/3' });
  assert.deepEqual(box({ payment: linked }).slice(6), ['Show this to the buyer']);
  draft({ way: 'link' });
  assert.equal(box({ payment: { ...linked, way: 'template' } }).at(-1), 'Show this to the buyer');
  draft({ way: 'link', link: ' ' });
  assert.equal(box({ payment: linked }).at(-1), 'Remove link');
  draft({ way: 'closing', payBy: '' });
  assert.deepEqual(box({ payment: PAYMENT }, { pay_by: '2026-12-04' }).slice(4), [
    'The buyer sees:',
    'IBAN',
    'Show this to the buyer',
    'Pay by',
    'Remove date',
  ]);
  draft({ payBy: '2026-12-05' });
  assert.equal(box({ payment: PAYMENT }, { pay_by: '2026-12-04' }).at(-1), 'Save date');
  $drafts.set({});
  const ticked = (payment: Payment) =>
    [...deal({}, { payment }).matchAll(/checked=""\/><span><b>([^<]+)/g)].map(([, title]) => title);
  assert.deepEqual(ticked(PAYMENT), ['Link from your template']);
  assert.deepEqual(ticked({ ...PAYMENT, way: null }), []);
  assert.deepEqual(
    box({ payment: { ...PAYMENT, ways: [{ way: 'closing', html: '<p>IBAN</p>' }] } }).slice(1, 3),
    ways.slice(1),
  );
  assert.deepEqual(box({ payment: { ...PAYMENT, ways: [], hosts: [], way: null } }), [
    'The buyer sees no way to pay: set checkout or a closing text in the settings of the catalogue, or write to the buyer.',
  ]);
  assert.deepEqual(box({ payment: { ...PAYMENT, way: null, taken_by: 'Tom' } }), [
    'The buyer sees no way to pay: the offer of Tom for this name is accepted, too. Take one of the two back.',
  ]);
  const unclear = { way: 'template' } as const;
  assert.equal(
    box({ payment: { ...PAYMENT, ways: [unclear] } })[1],
    'Link from your templateNo button: the agreed amount can be read in two ways',
  );
  const paid = textOf(deal({ paid_at: NOW }, { payment: PAYMENT, link: LINK }));
  assert.ok(!paid.includes('Where to pay') && paid.includes('Open the buyer’s page'));
  draft({ kind: 'accept' });
  const ahead = (payment: Payment) => {
    const lines = textOf(answer({ payment }));
    return lines.slice(lines.indexOf('Where to pay') + 1, lines.indexOf('The mail'));
  };
  assert.deepEqual(ahead(PAYMENT), [
    'Link from your template. You can choose another one once it is accepted.',
    'The buyer sees a button that opens pay.example.',
    'Pay by Fri, Dec 4.',
  ]);
  assert.deepEqual(ahead({ ...PAYMENT, hosts: [], pay_days: null }), [
    'Link from your template',
    'The buyer sees a button that opens pay.example.',
  ]);
});

test('other open offers are listed, and declining them is followed to its end', () => {
  const offers = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...OFFER,
      id: `${index}`,
      customer_name: `Buyer ${index}`,
    }));
  const shown = (open: Offer[], decline?: Decline) => {
    declineOthers.$declines.set(decline ? { [NAME]: decline } : {});
    const standing = { kind: 'counter', at: NOW, amount: '5000 USD', value: 5000, currency: 'USD' };
    return textOf(
      htmlOf(withListing({ state: 'sold', price: '$8,000' }, createElement(DeclineOthers, { name: NAME })), [
        [declineOthers.openOffersQuery(NAME).queryKey, open],
        [standingsQuery(open.slice(0, 5)).queryKey, { 1: standing }],
      ]),
    );
  };
  assert.deepEqual(shown([]), []);
  assert.deepEqual(shown(offers(1)), [
    '1 other offer is open',
    'Buyer 0Asking $8,000$4,000',
    'Decline the other offer',
  ]);
  assert.deepEqual(shown(offers(7)), [
    '7 other offers are open',
    'Buyer 0Asking $8,000$4,000',
    'Buyer 163 % of $8,0005000 USD',
    'Buyer 2Asking $8,000$4,000',
    'Buyer 3Asking $8,000$4,000',
    'Buyer 4Asking $8,000$4,000',
    'and 2 more',
    'Decline the 7 other offers',
  ]);
  const until = Date.parse(NOW) + 9_500;
  assert.deepEqual(shown(offers(7), { status: 'waiting', offers: offers(7), note: '', until }), [
    `7 offers for ${NAME} will be declined. Keep this page open.`,
    'Undo',
    '10 s',
  ]);
  const late = until - 20_000;
  assert.equal(
    shown(offers(7), { status: 'waiting', offers: offers(7), note: '', until: late }).at(-1),
    '0 s',
  );
  assert.deepEqual(shown(offers(7), { status: 'sending', offers: offers(7), done: 2 }), [
    'Declining 3 of 7…',
  ]);
  const failed = [{ offer: OFFER, message: 'It cannot be declined any more.' }];
  assert.deepEqual(shown(offers(7), { status: 'done', declined: 6, failed }), [
    '6 offers declined.',
    'Ada: It cannot be declined any more.',
    'Try again',
  ]);
  const done: Decline = { status: 'done', declined: 1, failed: [] };
  assert.deepEqual(shown([], done), ['1 offer declined.']);
  // Others may have been made since.
  assert.equal(shown(offers(7), done)[0], '7 other offers are open');
});

/** What is sent after a press in what `render` renders. */
async function sentBy(render: () => string, name: string): Promise<unknown[]> {
  const sent: unknown[] = [];
  const { mutationFn } = negotiate;
  assert.ok(mutationFn);
  negotiate.mutationFn = async (variables) => {
    sent.push(variables);
    return negotiation({});
  };
  try {
    render();
    press(name);
    await new Promise(setImmediate);
  } finally {
    negotiate.mutationFn = mutationFn;
  }
  return sent;
}

test('the owner’s next move is sent as it is typed, with the last move that was seen', async () => {
  const send = (written: Partial<Draft>, state: State = {}) => {
    draft(written);
    return sentBy(() => answer({ seen: 3, ...state }), 'Send');
  };
  const { id } = OFFER;
  assert.deepEqual(await send({ amount: '$5,000', days: 3, note: 'As said.' }), [
    { id, move: { kind: 'counter', seen: 3, amount: '$5,000', days: 3, note: 'As said.' } },
  ]);
  assert.deepEqual(await send({ kind: 'accept', amount: '$5,000' }), [
    { id, move: { kind: 'accept', seen: 3 } },
  ]);
  assert.deepEqual(await send({ kind: 'accept', note: 'Thank you.' }), [
    { id, move: { kind: 'accept', seen: 3, note: 'Thank you.' } },
  ]);
  assert.deepEqual(await send({ kind: 'decline', note: 'No.' }), [
    { id, move: { kind: 'decline', seen: 3, note: 'No.' } },
  ]);
  // An amount without a currency is asked about once.
  assert.deepEqual(await send({ amount: '5000' }), []);
  assert.equal($drafts.get()[id]?.isAsked, true);
  assert.deepEqual(await sentBy(() => answer({ seen: 3 }), 'Send'), [
    { id, move: { kind: 'counter', seen: 3, amount: '5000', days: 7 } },
  ]);
  const link = { link: LINK };
  assert.deepEqual(await sentBy(() => answer(link), 'New link'), [{ id, new_link: true }]);
});

test('a change of a deal is sent with its reference, and the last change that was seen', async () => {
  const { id } = OFFER;
  const sent = async (name: string, changed: Partial<Deal> = {}, state: State = {}) =>
    sentBy(() => deal({ seen: 4, ...changed }, state), name);
  const change = (field: string, to: unknown) => [
    { id, deal: { reference: DEAL.reference, seen: 4, field, to } },
  ];
  assert.deepEqual(await sent('Mark as paid'), change('paid', true));
  assert.deepEqual(await sent('Mark as transferred', { paid_at: NOW }), change('transferred', true));
  $ticked.set({ [id]: { step: 'paid', seen: 4 } });
  assert.deepEqual(await sent('Undo', { paid_at: NOW }), change('paid', false));

  draft({ ending: 'rejected', note: 'Not paid.' });
  const move = { kind: 'take_back', seen: 7, deal_seen: 4 };
  assert.deepEqual(await sent('It fell through', {}, { seen: 7 }), [
    { id, move: { ...move, as: 'rejected', note: 'Not paid.' } },
  ]);
  draft({ ending: 'rejected', note: ' ' });
  assert.deepEqual(await sent('It fell through', {}, { seen: 7 }), [
    { id, move: { ...move, as: 'rejected' } },
  ]);
  draft({ ending: 'open', note: 'Not for this.' });
  assert.deepEqual(await sent('Take back', {}, { seen: 7 }), [{ id, move: { ...move, as: 'open' } }]);

  const pay = (name: string, written: Partial<Draft>, payment: Payment = PAYMENT) => {
    draft(written);
    return sent(name, { pay_by: '2026-12-04' }, { payment });
  };
  const show = 'Show this to the buyer';
  assert.deepEqual(await pay(show, { way: 'closing' }), change('way', 'closing'));
  assert.deepEqual(
    await pay(show, { way: 'link', link: ' https://bank.example/2 ' }),
    change('link', 'https://bank.example/2'),
  );
  const linked: Payment = {
    ...PAYMENT,
    ways: [...PAYMENT.ways, { way: 'link', url: 'https://bank.example/2', host: 'bank.example' }],
  };
  // The link is there already, and is chosen.
  assert.deepEqual(await pay(show, { way: 'link' }, linked), change('way', 'link'));
  assert.deepEqual(
    await pay('Remove link', { way: 'link', link: '' }, { ...linked, way: 'link' }),
    change('link', null),
  );
  assert.deepEqual(await pay('Save date', { payBy: '2026-12-09' }), change('pay_by', '2026-12-09'));
  assert.deepEqual(await pay('Remove date', { payBy: '' }), change('pay_by', null));
});

test('the ways to end a deal ask first', () => {
  for (const [name, ending] of [
    ['Take back', 'open'],
    ['Fell through', 'rejected'],
  ] as const) {
    $drafts.set({});
    deal({});
    press(name);
    assert.equal($drafts.get()[OFFER.id]?.ending, ending);
    deal({});
    press('Keep the deal');
    assert.equal($drafts.get()[OFFER.id]?.ending, undefined);
  }
});
