/** What the lists of offers and names show in a row, and what the banners above them say. */
import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { type Context, createElement, type ReactNode } from 'react';
import type { Build } from '#contract/names.ts';
import type { Offer } from '#contract/offer.ts';
import { buildOptions, html, htmlOf, press, textOf } from '../../tests/support/rendered.ts';
import type { Save } from '../stores/name-changes.ts';

const { botCheckQuery, messagesQuery, offersStore, siteQuery } = await import('../stores/admin.ts');
const { addedNames, nameChanges, namesStore } = await import('../stores/names-admin.ts');
const { AddedNote } = await import('./AddNames.tsx');
const { ShownMessageLines } = await import('./columns.tsx');
const { RejectedConfirmations } = await import('./EmailCell.tsx');
const { ShownListings } = await import('./listings.ts');
const { MessagesBanner } = await import('./MessagesBanner.tsx');
const { NameEditor } = await import('./NameEditor.tsx');
const { NameRow } = await import('./NameRow.tsx');
const { NamesHistory } = await import('./NamesHistory.tsx');
const { NamesTable } = await import('./NamesTable.tsx');
const { NameSteps } = await import('./NameSteps.tsx');
const { OfferRow } = await import('./OfferRow.tsx');
const { SiteBanner } = await import('./SiteBanner.tsx');
const { ReplyWithin, ShownStandings } = await import('./TimeLeft.tsx');

const NOW = '2026-11-20T12:00:00Z';
const NAME = 'lanternworks.example';

const OFFER = {
  id: 'a',
  created_at: '2026-11-20T09:30:00Z',
  domain_name: NAME,
  offer_amount: '$4,000',
  customer_name: 'Ada',
  customer_email: 'ada@example.com',
  status: 'pending',
  value: 4000,
  currency: 'USD',
  low: false,
  held: false,
} as Offer;

const COUNTERED = {
  kind: 'counter',
  at: NOW,
  amount: '5000 USD',
  value: 5000,
  currency: 'USD',
  valid_until: '2026-11-25T11:00:00Z',
};

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['Date'], now: Date.parse(NOW) });
});

interface Beside {
  listing?: { state: string; price: string | null } | null;
  standing?: Partial<typeof COUNTERED> & { deal?: object };
  replyWithin?: string;
  row?: object;
}

function offerRow(
  offer: Partial<Offer> | object,
  { listing, standing, replyWithin, row }: Beside = {},
): string {
  const shown = { row: 0, group: undefined, earlier: 0, chosen: undefined, error: undefined, ...row };
  let markup: ReactNode = createElement(OfferRow, { ...shown, offer: { ...OFFER, ...offer } as Offer });
  const around = <T>(context: Context<T>, value: unknown) => {
    markup = createElement(context, { value: value as T }, markup);
  };
  around(ShownListings, listing === undefined ? {} : { [NAME]: listing });
  around(ShownStandings, standing ? { a: standing } : {});
  around(ShownMessageLines, { a: 'Is it free?' });
  around(RejectedConfirmations, ['b']);
  around(ReplyWithin, replyWithin);
  return htmlOf(markup);
}

/** The texts of a row by the titles of its columns. */
function cells(offer: Partial<Offer> | object, beside?: Beside) {
  const found = [...offerRow(offer, beside).matchAll(/<td data-column="(\w+)">(.*?)<\/td>/g)];
  return Object.fromEntries(found.map(([, title, cell]) => [title, textOf(cell ?? '').join(' | ')]));
}

test('a row of an offer has what was offered, and nothing that is not known', () => {
  assert.deepEqual(cells({}), {
    Domain: NAME,
    Offer: '$4,000',
    Customer: 'Ada',
    Email: 'ada@example.com',
    Date: 'Nov 20, 2026, 9:30 AM',
    Status: 'pending21 h left',
    Actions: 'pendingacceptedrejectednegotiating | Answer',
  });
  const link = /class="email" href="([^"]*)"/.exec(offerRow({ offer_amount: '4,000 € & more?\u202e#' }))?.[1];
  const mail = new URL(link?.replaceAll('&amp;', '&') ?? '');
  assert.deepEqual(
    [mail.pathname, ...mail.searchParams],
    [
      'ada@example.com',
      ['subject', `Your offer for ${NAME}`],
      ['body', 'Your offer of Nov 20, 2026, 9:30 AM: 4,000 € & more? #\r\n\r\n'],
    ],
  );
  assert.equal(cells({ status: 'later' }).Actions, 'laterpendingacceptedrejectednegotiating | Open');
  assert.equal(cells({ id: 'b' }).Email, 'ada@example.comConfirmation rejected: the address may be wrong');
  assert.equal(cells({}, { row: { group: 'g', earlier: 2 } }).Customer, 'Ada | 2 earlier');
  assert.equal(cells({}, { row: { group: 'g', earlier: 0 } }).Customer, 'Ada');
  assert.match(cells({}, { row: { error: 'Not saved.' } }).Actions ?? '', /Answer \| Not saved\.$/);
  buildOptions.OFFER_MESSAGE = true;
  assert.equal(cells({}).Offer, '$4,000Is it free?');
  assert.equal(cells({ id: 'c' }).Offer, '$4,000');
  delete buildOptions.OFFER_MESSAGE;
});

test('a row of an offer has its marks', () => {
  const state = (of: string) => cells({}, { listing: { state: of, price: null } }).Domain;
  assert.equal(state('for_sale'), NAME);
  assert.equal(state('sold'), `${NAME} Sold`);
  assert.equal(state('reserved'), `${NAME} Reserved`);
  assert.equal(cells({}, { listing: null }).Domain, `${NAME} Not in the catalogue`);
  assert.equal(cells({ low: true }).Offer, '$4,000 Low');
  assert.equal(cells({ held: true }).Offer, '$4,000 Held');
  const priced = (price: string, standing?: Beside['standing']) =>
    cells({}, { listing: { state: 'for_sale', price }, ...(standing && { standing }) }).Offer;
  assert.equal(priced('$4,000'), '$4,000 Full price Asking $4,000');
  assert.equal(priced('$8,000'), '$4,000 50 % of $8,000');
  assert.equal(priced('$8,000', COUNTERED), '$4,000 now $5,000 63 % of $8,000');
  assert.equal(priced('$8,000', { ...COUNTERED, kind: 'accept' }), '$4,000 agreed $5,000 63 % of $8,000');
});

test('a row of an offer says whose move it is, and calls for an answer where it is the owner’s', () => {
  const turn = (offer: object, beside?: Beside) => {
    const { Status = '', Actions = '' } = cells(offer, beside);
    return [Status, Actions.split(' | ')[1]];
  };
  assert.deepEqual(turn({}, { replyWithin: '2 hours' }), ['pendingOverdue by 30 min', 'Answer']);
  assert.deepEqual(turn({ low: true }), ['pending', 'Open']);
  assert.deepEqual(turn({ held: true }), ['pending', 'Open']);
  assert.deepEqual(turn({ status: 'rejected' }), ['rejected', 'Open']);
  const tone = (beside?: Beside) =>
    /class="time-left"[^>]* data-tone="(\w+)"/.exec(offerRow({}, beside))?.[1];
  assert.equal(tone(), 'yours');
  assert.equal(tone({ replyWithin: '2 hours' }), 'overdue');
  const negotiating = { status: 'negotiating' };
  assert.deepEqual(turn(negotiating, { standing: COUNTERED }), ['negotiatingTheir move, 5 d left', 'Open']);
  const ended = { ...COUNTERED, valid_until: NOW };
  assert.deepEqual(turn(negotiating, { standing: ended }), ['negotiatingEnded', 'Answer']);
  const offered = { kind: 'offer', at: NOW };
  assert.deepEqual(turn(negotiating, { standing: offered }), ['negotiatingYour move, 24 h left', 'Answer']);
  const late = { kind: 'accept', at: NOW, deal: { pay_by: '2026-11-18' } };
  assert.deepEqual(turn({ status: 'accepted' }, { standing: late }), ['acceptedOverdue by 2 d', 'Open']);
});

test('the banner about the site has each problem that is known, and is absent without one', () => {
  const lines = (site: unknown, botCheck: string | null = null, schema: string | null = null) =>
    textOf(
      html(SiteBanner, {}, [
        [siteQuery.queryKey, site],
        [botCheckQuery.queryKey, botCheck],
        [offersStore.schemaQuery.queryKey, schema],
      ]),
    );
  assert.deepEqual(lines(undefined), []);
  assert.deepEqual(lines('unavailable'), []);
  assert.deepEqual(lines({}), []);
  assert.deepEqual(lines({ pages: 'Old pages.' }), ['Old pages.']);
  assert.deepEqual(lines({}, 'No bot check.'), ['No bot check.']);
  assert.deepEqual(lines({}, null, 'Older.'), ['Older.']);
  assert.deepEqual(lines({ catalogue: 'line 3: no price', pages: 'Old pages.' }, 'No bot check.', 'Older.'), [
    'Older.',
    'No bot check.',
    'Old pages.',
    'The catalogue or the site’s branding has problems; the last good pages are served.',
    'line 3: no price',
  ]);
});

test('the banner about messages says what is not sent, why, and what to do', () => {
  const lines = (status: object) => {
    const data = { mail: 1, webhooks: 0, queued: 0, failed: 0, paused: 0, ...status };
    return textOf(html(MessagesBanner, {}, [[messagesQuery.queryKey, data]]));
  };
  assert.deepEqual(textOf(html(MessagesBanner, {})), []);
  assert.deepEqual(lines({}), []);
  assert.deepEqual(lines({ queued: 1 }), ['1 message on the way.']);
  assert.deepEqual(lines({ queued: 2 }), ['2 messages on the way.']);
  const resume = 'run npm run messages -- resume.';
  assert.deepEqual(lines({ paused: 1 }), [
    `1 message from before the restore is not sent. To send it, ${resume}`,
  ]);
  assert.deepEqual(lines({ paused: 3 }), [
    `3 messages from before the restore are not sent. To send them, ${resume}`,
  ]);
  assert.deepEqual(lines({ mail: 0 }).slice(0, 3), [
    'No message is sent when an offer arrives.',
    'How',
    'Dismiss for a week',
  ]);
  buildOptions.DEMO = true;
  assert.deepEqual(lines({ mail: 0 }), ['Demo: no messages are sent']);
  delete buildOptions.DEMO;
  const last_failure = { reason: '550 no', target_kind: 'webhook', retry_at: '2026-11-20T13:00:00Z' };
  assert.deepEqual(lines({ queued: 2, last_failure }), [
    '2 messages not sent. Last response of the webhook: 550 no',
    'Next try: Nov 20, 2026, 1:00 PM.',
    'Retry',
  ]);
  assert.deepEqual(lines({ failed: 1, last_failure: { ...last_failure, retry_at: null } }).slice(1), [
    'Not tried again automatically.',
    'Retry',
  ]);
  const problem = 'The mail server x does not accept the login.';
  const problems = [{ problem, waiting: 12, next_try_at: null }];
  assert.deepEqual(lines({ queued: 12, last_failure, problems }).slice(0, 1), [
    `${problem} 12 messages wait. Last response of the webhook: 550 no`,
  ]);
  const failures = [
    { id: 1, kind: 'confirmation', domain: NAME, offers: 1, reason: '550 who', target_kind: 'mail' },
    { id: 2, kind: 'later', domain: NAME, offers: 3, reason: '500', target_kind: 'webhook' },
  ];
  assert.deepEqual(lines({ failed: 2, failures }), [
    '2 messages not sent.',
    'Not tried again automatically:',
    `Confirmation for ${NAME}. Response of the mail server: 550 who`,
    'Message for 3 offers. Response of the webhook: 500',
    'Retry',
  ]);
  // Others are tried again.
  assert.equal(
    lines({ queued: 1, failed: 2, failures, last_failure })[1],
    'Next try: Nov 20, 2026, 1:00 PM.',
  );
});

const NUMBERS = { week: 3, month: 1200, before: 600, periods: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] };

function nameRow(listed: object, props: object = {}): string {
  return html(NameRow, {
    row: 3,
    listed: { name: NAME, state: 'for_sale', price: '$4,000', open: 0, ...listed },
    values: undefined,
    language: 'en',
    isOpen: false,
    isChosen: undefined,
    save: undefined,
    ...props,
  } as never);
}

test('a row of a name has its price, its offers and its visits, as far as they are known', () => {
  const lines = (listed: object, props?: object) => textOf(nameRow(listed, props));
  assert.deepEqual(lines({}), [NAME, 'For sale', '$4,000', 'None']);
  assert.deepEqual(lines({ price: null, numbers: NUMBERS }).slice(2), [
    'No price',
    'None',
    '3',
    '1,200up 100 %',
  ]);
  const best = { amount: '5k', value: 5000, currency: 'USD' };
  assert.deepEqual(lines({ state: 'sold', open: 1200, best, last_offer_at: NOW }).slice(1), [
    'Sold',
    '$4,000',
    '1,200 openbest $5,000',
    'Nov 20, 2026',
  ]);
  // The best one is of open offers.
  assert.equal(lines({ best })[3], 'None');
  assert.equal(lines({ open: 1, best })[3], '1 openbest $5,000');
  assert.equal(lines({ open: 2, best, agreed: { amount: 'about 5' } })[3], '2 openagreed about 5');
  const value = (text: string) => ({ value: text, is_default: false });
  const values = {
    price: value('9000 EUR'),
    minimum: value('100 EUR'),
    description: { en: value('A light.') },
  };
  assert.deepEqual(lines({}, { values }), [`${NAME}A light.`, 'For sale', '€9,000min. €100', 'None']);
  assert.equal(lines({}, { values, language: 'de' })[0], NAME);
  assert.match(nameRow({}), /data-none="true"/);
  assert.doesNotMatch(nameRow({ open: 1 }), /data-none/);
  assert.doesNotMatch(nameRow({ agreed: best }), /data-none/);
  assert.doesNotMatch(nameRow({}), /checkbox|data-chosen/);
  assert.match(
    nameRow({}, { isChosen: true }),
    /data-chosen="true".*checkbox" aria-label="Choose lanternworks.example" checked/,
  );
  assert.doesNotMatch(nameRow({}, { isChosen: false }), /data-chosen|checked/);
});

test('a change of a name is followed until the pages show it, or says why not', () => {
  const steps = (save: object, build?: Partial<Build>) => {
    const data = build && { changes: [], live: [], about_seconds: null, ...build };
    const read = [[nameChanges.buildQuery.queryKey, data]] as const;
    const lines = textOf(html(NameSteps, { save: { at: NOW, ...save } } as never, read));
    const mark = textOf(
      htmlOf(
        createElement(NameRow, {
          row: 0,
          listed: { name: NAME, state: 'for_sale', price: null, open: 0 },
          language: 'en',
          isOpen: false,
          save: { at: NOW, ...save } as Save,
        } as never),
        read,
      ),
    )[1]?.replace('For sale', '');
    return [...lines, mark];
  };
  const saved = { status: 'saved' };
  const waits = (text: string) => ['Saved 12:00 PM', text, 'Live', 'Saved, not live'];
  assert.deepEqual(steps(saved), waits('Pages are built'));
  assert.deepEqual(
    steps(saved, { status: 'building', about_seconds: 9 }),
    waits('Pages are built, about 9 s'),
  );
  assert.deepEqual(
    steps(saved, { status: 'building', about_seconds: 0 }),
    waits('Pages are built, about 0 s'),
  );
  assert.deepEqual(
    steps(saved, { status: 'waiting', about_seconds: 9 }),
    waits('Pages are built next, about 9 s'),
  );
  assert.deepEqual(
    steps(saved, { status: 'too_many' }),
    waits('Pages are built later: there were many builds in a short time'),
  );
  assert.deepEqual(steps(saved, { status: 'too_many', problem: 'At 1 PM.' }), waits('At 1 PM.'));
  const stopped = (text: string, ...command: string[]) => [
    'Saved 12:00 PM',
    text,
    'Live',
    ...command,
    'Not built',
  ];
  assert.deepEqual(
    steps(saved, { status: 'failed' }),
    stopped('Pages were not built: see the log of the server'),
  );
  assert.deepEqual(
    steps(saved, { status: 'failed', problem: 'no disk', command: 'npm run build' }),
    stopped('Pages were not built: no disk', 'npm run build', 'Copy'),
  );
  assert.deepEqual(
    steps(saved, { status: 'no_memory' }),
    stopped('Pages are not built: too little memory is free. Build them where there is more.'),
  );
  assert.deepEqual(steps({ status: 'live' }, { status: 'failed', command: 'npm run build' }), [
    'Saved 12:00 PM',
    'Pages are built',
    'Live',
    'Live',
  ]);
  const mark = (save: object) => textOf(nameRow({}, { save }))[1]?.replace('For sale', '');
  assert.equal(mark({ status: 'saving' }), 'Saving…');
  assert.equal(mark({ status: 'failed', message: 'No.' }), 'Not saved');
});

test('what a pasted list did is counted', () => {
  const note = (names: number, prices: number) => {
    addedNames.$added.set({ batch: 'b', names, prices, at: NOW });
    return textOf(html(AddedNote, {} as never))[0]?.split('Saved')[0];
  };
  const undo = ' To take it back: npm run catalogue -- undo';
  assert.equal(note(1, 0), `1 name added.${undo}`);
  assert.equal(note(3, 1), `3 names added, 1 price set.${undo}`);
  assert.equal(note(0, 2), `2 prices set.${undo}`);
  addedNames.$added.set(undefined);
  assert.deepEqual(textOf(html(AddedNote, {} as never)), []);
});

test('the history of names has both values of a change, and what became of it', () => {
  const entry = (changed: object) => ({
    id: 1,
    name: NAME,
    field: 'price',
    from: '$1',
    to: '$2',
    changed_at: NOW,
    changed_by_email: 'o@example.com',
    written_at: NOW,
    ...changed,
  });
  const history = (name: string | undefined, ...entries: object[]) =>
    textOf(
      html(NamesHistory, name === undefined ? {} : { name }, [
        [namesStore.historyQuery(name).queryKey, { pages: [entries], pageParams: [undefined] }],
      ]),
    ).slice(1);
  const when = 'Nov 20, 2026, 12:00 PM';
  const zone = 'Times are Coordinated Universal Time.';
  const by = `${when} by o@example.com`;
  assert.deepEqual(
    history(
      NAME,
      entry({}),
      entry({ id: 2, field: 'state', from: null, to: 'sold' }),
      entry({ id: 3, field: 'entry', from: null, to: '{}' }),
      entry({ id: 4, field: 'entry', to: null }),
      entry({ id: 5, field: 'description.de', from: null, written_at: null }),
      entry({ id: 6, dropped_at: NOW, found: '$3', changed_by_email: null, written_at: null }),
    ),
    [
      `price $1 → $2${by}`,
      `state For sale → Sold${by}`,
      `added${by}`,
      `removed${by}`,
      `description, German: none → $2${by}Not in the catalogue’s file yet`,
      `price $1 → $2${when}Dropped: the file had $3 in place of $2. The file counts.`,
      zone,
    ],
  );
  assert.deepEqual(history(undefined, entry({})), [`${NAME} price $1 → $2${by}`, zone]);
  assert.deepEqual(history(NAME), ['No changes here yet. Those by commands and by hand are not listed.']);
  const many = (count: number) => Array.from({ length: count }, (_, id) => entry({ id }));
  assert.equal(history(NAME, ...many(100)).at(-1), 'Show more');
  assert.equal(history(NAME, ...many(99)).at(-1), zone);
});

test('a name with something typed asks before it is closed, and not while that is saved', () => {
  Object.assign(document, { getElementById: () => null });
  const value = (text: string | null) => ({ value: text, is_default: text === null });
  const seen = { state: value(null), price: value('$1'), minimum: value(null), description: {} };
  const isOpenAfterClose = (save?: Save) => {
    nameChanges.$drafts.set({ [NAME]: { seen, typed: { price: '$2' } } });
    namesStore.$open.set(new Set([NAME]));
    const props = { id: 'a', listed: { name: NAME }, values: seen, isEnded: false, save };
    const file = { file: 'own', languages: ['en'], max_description: 160, names: {} };
    html(NameEditor, props as never, [[namesStore.fileQuery([]).queryKey, file]]);
    press('Close');
    return namesStore.$open.get().has(NAME);
  };
  assert.equal(isOpenAfterClose(), true);
  assert.equal(isOpenAfterClose({ status: 'saving', batch: 'a' }), false);
  assert.ok(nameChanges.$drafts.get()[NAME], 'until it is saved');
  nameChanges.$drafts.set({});
});

test('the table of names has the columns that are counted, marks its order, and placeholders for rows on their way', () => {
  const table = (props: object = {}) =>
    html(NamesTable, {
      status: 'loaded',
      total: 2,
      view: { sort: 'price', descending: true },
      pages: new Map([[0, [{ name: NAME, state: 'for_sale', price: null, open: 0 }]]]),
      values: {},
      isCounted: false,
      reloading: false,
      language: 'en',
      canChange: false,
      ...props,
    } as never);
  const titles = (markup: string) =>
    [...markup.matchAll(/<th [^>]*>(.*?)<\/th>/g)].flatMap(([, title]) => textOf(title ?? ''));
  const plain = ['Name', 'State', 'Price', 'Offers', 'Last offer'];
  assert.deepEqual(titles(table()), [...plain, 'Open']);
  assert.deepEqual(titles(table({ isCounted: true })), [
    ...plain,
    '7 d',
    'Visits, 30 d',
    '12 months',
    'Open',
  ]);
  const sorted = (descending: boolean) =>
    /<th [^>]*class="(\w+)" aria-sort="(\w+)"/.exec(table({ view: { sort: 'price', descending } }))?.slice(1);
  assert.deepEqual(sorted(true), ['price', 'descending']);
  assert.deepEqual(sorted(false), ['price', 'ascending']);
  assert.match(table(), /<tr data-index="1" aria-rowindex="3" class="placeholder">/);
  assert.doesNotMatch(table(), /checkbox/);
  assert.match(table({ canChange: true }), /aria-label="Choose all 2"/);
});
