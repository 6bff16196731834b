import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkResults } from '../_shared/call-database.ts';
import type { Negotiation, StoredLink } from '../_shared/contract/negotiation.ts';
import type { PublishedSettings } from '../_shared/contract/publication.ts';
import { fixedListings } from '../_shared/listings.fixture.ts';
import { hashOfToken, linkToken } from '../_shared/offer-link.ts';
import type { Limit } from '../_shared/rate-limits.ts';
import { DatabaseUnavailable, Rejection } from '../_shared/rejection.ts';
import { readSettings } from '../_shared/settings.ts';
import { createNegotiation } from './handler.ts';

const SETTINGS = readSettings({ SUPABASE_URL: 'http://localhost', SUPABASE_SECRET_KEY: 'sb_secret_t' });
const WITH_MAIL = readSettings({
  SUPABASE_URL: 'http://localhost',
  SUPABASE_SECRET_KEY: 'sb_secret_t',
  SMTP_URL: 'smtp://127.0.0.1:25',
  MAIL_FROM: 'offers@example.com',
  MAIL_TO: 'owner@example.com',
});
const LISTINGS = fixedListings({
  names: new Set(['lap.app']),
  hosts: ['names.example'],
  adminHost: undefined,
});
/** Listings of a catalogue with these settings. */
function catalogueOf(settings: PublishedSettings) {
  return { ...LISTINGS, read: async () => ({ ...(await LISTINGS.read()), settings }) };
}
const OFFER = '0198d9f5-5f6a-7c1e-8f3a-1d2e3f405162';
const STATE = {
  domain: 'lap.app',
  language: 'en',
  status: 'open',
  seen: 1,
  moves: [{ number: 1, side: 'buyer', kind: 'offer', amount: '<b>$5</b>', at: '2026-11-23T05:18:09+00:00' }],
  can: ['counter'],
};
const TOKEN = linkToken('sb_secret_t', OFFER, { number: 1, nonce: 'a'.repeat(32) });
const COUNTER = { kind: 'counter', seen: 1, amount: '$4,300' };
type Call = { name: string; args: Record<string, unknown>; authorization: string | undefined };

/** Starts a handler whose database returns the outcomes one after the other. */
function start(outcomes: unknown[], listings = LISTINGS, settings = SETTINGS) {
  const calls: Call[] = [];
  let moves = 0;
  const negotiate = createNegotiation({
    settings,
    listings,
    callDatabase: checkResults(async (name, args: Call['args'], authorization) => {
      calls.push({ name, args, authorization });
      const outcome = outcomes.shift();
      if (outcome instanceof Error) throw outcome;
      return outcome;
    }),
    afterMove: () => {
      moves += 1;
    },
  });
  return async (body: unknown, headers = {}) => {
    const request = new Request('https://names.example/functions/v1/negotiation', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const result = await negotiate(request).catch((error: unknown) => {
      if (error instanceof Rejection) return { status: error.code, body: undefined, ...error.details };
      throw error;
    });
    return { values: undefined, headers: undefined, ...result, calls, moves };
  };
}

/** Sends a body to a handler of its own. */
function send(body: unknown, outcomes: unknown[], headers = {}, listings = LISTINGS) {
  return start(outcomes, listings)(body, headers);
}

const SESSION = { authorization: 'Bearer t', origin: 'https://names.example' };

/** Of the link that the call stores; the link must be derived as linkUrl derives it. */
function storedBy(call: Call | undefined): StoredLink & { replace?: boolean } {
  const link = call?.args.link as StoredLink;
  assert.match(link.nonce, /^[0-9a-f]{32}$/);
  assert.equal(link.hash, hashOfToken(linkToken('sb_secret_t', OFFER, link)));
  return link;
}

const READ = { outcome: 'read', state: STATE, link: null };

test('the owner’s move is made as the user, with a link for the buyer', async () => {
  const link = { number: 1, nonce: 'a'.repeat(32) };
  const hash = hashOfToken(linkToken('sb_secret_t', OFFER, link));
  const made = { outcome: 'made', state: STATE, link: { ...link, hash } };
  const { status, body, calls, moves } = await send(
    { offer_id: OFFER, move: COUNTER },
    [READ, made],
    SESSION,
  );
  assert.equal(status, 200);
  assert.equal(storedBy(calls[1]).number, 1);
  assert.deepEqual(
    calls.map(({ authorization }) => authorization),
    ['Bearer t', 'Bearer t'],
  );
  assert.match((body as { link: string }).link, /^https:\/\/names\.example\/offer\/#[0-9a-f]{32}$/);
  assert.equal(moves, 1);
});

test('a take-back names the last change of its deal, and before the first one none', async () => {
  for (const deal_seen of [0, 3]) {
    const move = { kind: 'take_back', seen: 1, as: 'rejected', deal_seen };
    const { calls } = await send({ offer_id: OFFER, move }, [READ, { ...READ, outcome: 'made' }], SESSION);
    assert.deepEqual(calls[1]?.args.move, move);
  }
});

test('an offer that is erased gets no link and no move', async () => {
  for (const asked of [{ move: COUNTER }, { new_link: true }]) {
    const { status, calls } = await send({ offer_id: OFFER, ...asked }, [{ outcome: 'unknown' }], SESSION);
    assert.deepEqual([status, calls.length], ['offer_erased', 1]);
  }
});

test('the link that the owner sees leads to the page in the language of the offer', async () => {
  const link = { number: 1, nonce: 'a'.repeat(32) };
  const hash = hashOfToken(linkToken('sb_secret_t', OFFER, link));
  const read = { ...READ, state: { ...STATE, language: 'de' }, link: { ...link, hash } };
  const { body } = await send({ offer_id: OFFER }, [read], SESSION, catalogueOf({ languages: ['en', 'de'] }));
  assert.equal((body as Negotiation).link, `https://names.example/de/offer/#${TOKEN}`);
});

test('a move has what was read in its amount, by the signs of the catalogue', async () => {
  const listings = {
    ...LISTINGS,
    read: async () => ({ ...(await LISTINGS.read()), settings: { currencies: { kr: 'SEK' } } }),
  };
  const made = { outcome: 'made', state: STATE };
  for (const [amount, price] of [
    ['5 000 kr', { amount: '5000', currency: 'SEK' }],
    ['4k', { amount: '4000' }],
    ['as said', undefined],
  ] as const) {
    const move = { kind: 'offer', seen: 1, amount };
    const { calls } = await send({ token: TOKEN, move }, [made], {}, listings);
    assert.deepEqual(calls[0]?.args.move, { ...move, ...(price && { price }) });
    const owners = await send(
      { offer_id: OFFER, move: { ...move, kind: 'counter' } },
      [READ, made],
      SESSION,
      listings,
    );
    assert.deepEqual(owners.calls[1]?.args.move, { ...move, kind: 'counter', ...(price && { price }) });
  }
});

test('a move keeps its note, and a blank one is none', async () => {
  const made = { outcome: 'made', state: STATE };
  for (const [note, stored] of [
    [' Escrow?\n', { note: ' Escrow?\n' }],
    [' \n\u3164', {}],
  ] as const) {
    const move = { kind: 'accept', seen: 1 };
    const { calls } = await send({ token: TOKEN, move: { ...move, note } }, [made]);
    assert.deepEqual(calls[0]?.args.move, { ...move, ...stored });
  }
});

test('a preview is the mail that deliver sends about the move, and makes and stores nothing', async () => {
  const preview = { ...COUNTER, note: 'Escrow is fine.', days: 3 };
  const first = await start([READ], LISTINGS, WITH_MAIL)({ offer_id: OFFER, preview }, SESSION);
  const { mail } = first.body as { mail: { subject: string; text: string } };
  assert.deepEqual([first.status, first.calls.length, first.moves], [200, 1, 0]);
  assert.equal((first.body as Negotiation).mails, true);
  assert.equal(mail.subject, 'Counter-offer for lap.app');
  for (const part of ['$4,300', '> Escrow is fine.', 'https://names.example/offer/#…']) {
    assert.ok(mail.text.includes(part), `${part} in ${mail.text}`);
  }
  assert.doesNotMatch(mail.text, /\$5|<b>/, 'what the buyer typed');

  const link = { number: 1, nonce: 'a'.repeat(32) };
  const hash = hashOfToken(linkToken('sb_secret_t', OFFER, link));
  const linked = { ...READ, link: { ...link, hash } };
  const second = await start([linked], LISTINGS, WITH_MAIL)({ offer_id: OFFER, preview }, SESSION);
  const { mail: next, link: url } = second.body as { mail: { text: string }; link: string };
  assert.ok(next.text.includes(url), 'the link that the buyer has');

  const moves = [{ ...STATE.moves[0], amount: 'usd 4.1k', value: 4100, currency: 'USD' }];
  const accepting = { ...READ, state: { ...STATE, moves, can: ['accept'] } };
  const third = await start(
    [accepting],
    LISTINGS,
    WITH_MAIL,
  )({ offer_id: OFFER, preview: { kind: 'accept', seen: 1 } }, SESSION);
  const { mail: accepted } = third.body as { mail: { subject: string; text: string } };
  assert.equal(accepted.subject, 'Agreed: $4,100 for lap.app');
  assert.doesNotMatch(accepted.text, /Pay|Reference/);
  const payment = { way: 'template', template: 'https://pay.example/{amount}' };
  const paying = await start(
    [{ ...accepting, payment }],
    catalogueOf({ payDays: 7 }),
    WITH_MAIL,
  )({ offer_id: OFFER, preview: { kind: 'accept', seen: 1 } }, SESSION);
  assert.match((paying.body as { mail: { text: string } }).mail.text, /\nPay by .*\n\nPay \$4,100:\n/);

  const declining = async (
    listings = LISTINGS,
    state: object = { ...STATE, can: ['decline', 'take_back'] },
  ) => {
    const request = (kind: string) => ({ offer_id: OFFER, preview: { kind, seen: 1 } });
    const texts: (string | undefined)[] = [];
    for (const kind of ['decline', 'take_back']) {
      const { body } = await start([{ ...linked, state }], listings, WITH_MAIL)(request(kind), SESSION);
      texts.push((body as { mail?: { text: string } }).mail?.text);
    }
    return texts;
  };
  const [declined = '', takenBack] = await declining();
  assert.match(
    declined,
    /offer\/#[0-9a-f]{32}\n\nWith the link you can read this for 14 days\..* type the code \S{33}\n/s,
  );
  assert.equal(takenBack, undefined, 'the buyer had no mail');
  const [, told] = await declining(LISTINGS, { ...STATE, can: ['take_back'], had_mail: true });
  assert.match(told ?? '', /^The acceptance of your offer for lap\.app is taken back\./);
  const reserved = { ...LISTINGS, read: async () => ({ ...(await LISTINGS.read()), states: new Map() }) };
  assert.doesNotMatch(
    (await declining(reserved))[0] ?? '-',
    /offer\/|14 days|code/,
    'the link opens nothing',
  );

  const unasked = await start([READ], LISTINGS, WITH_MAIL)({ offer_id: OFFER }, SESSION);
  assert.deepEqual(unasked.body, { ...STATE, mails: true });
  const without = await send({ offer_id: OFFER, preview }, [READ], SESSION);
  assert.ok(!('mail' in (without.body as object)), 'moves are not mailed');
  assert.equal((without.body as Negotiation).mails, false);
  for (const kind of ['offer', 'withdraw', 'take_back']) {
    const request = { offer_id: OFFER, preview: { ...COUNTER, kind } };
    const { status, body } = await start([READ], LISTINGS, WITH_MAIL)(request, SESSION);
    assert.deepEqual([status, 'mail' in (body as object)], [200, false], `${kind} is not possible`);
  }
  const { status } = await send({ offer_id: OFFER, preview: { kind: 'counter', seen: 1 } }, [READ], SESSION);
  assert.equal(status, 'missing');
});

test('a preview has the amount, the dates and the end that its move would have', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-30T12:00:00Z') });
  const textOf = async (preview: object, payment?: object, moves: object[] = AGREED) => {
    const can = ['counter', 'accept', 'take_back'];
    const state = { ...STATE, language: 'de', moves, can, had_mail: true };
    const call = start([{ ...READ, state, payment }], catalogueOf({ payDays: 7 }), WITH_MAIL);
    const { body } = await call({ offer_id: OFFER, preview: { seen: 1, ...preview } }, SESSION);
    return (body as { mail: { text: string } }).mail.text;
  };
  const counter = await textOf({ kind: 'counter', amount: '$4,300', note: ' \n' });
  assert.match(counter, /\n\nBetrag: 4\.300\s\$\n\nGültig bis 7\. Dez\. 2026, /);
  assert.doesNotMatch(counter, /Notiz|^>/m, 'a blank note is none');
  const soon = await textOf({ kind: 'counter', amount: 'as said', days: 3 });
  assert.match(soon, /\n\nBetrag: as said\n\nGültig bis 3\. Dez\. 2026, /);
  const accepted = await textOf({ kind: 'accept', note: 'Danke.' }, { way: 'closing' });
  assert.match(accepted, /\n> Danke\.\n\nZahlbar bis Montag, 7\. Dezember 2026\n/);
  assert.doesNotMatch(accepted, /Gültig bis/);
  const raised = [...AGREED, { ...AGREED[0], number: 2, amount: '$4,200', value: 4200 }];
  assert.match(await textOf({ kind: 'accept' }, undefined, raised), /4\.200\s\$/, 'the last amount');
  assert.match(await textOf({ kind: 'take_back' }), /^Die Annahme Ihres Angebots für lap\.app ist zurück/);
  assert.match(await textOf({ kind: 'take_back', as: 'rejected' }), /^Der Verkauf von lap\.app ist nicht/);
});

test('a preview without a language is in the site’s first, reads its signs, and promises no date without payDays', async () => {
  const settings = { currencies: { kr: 'SEK' } };
  const listings = {
    ...LISTINGS,
    read: async () => ({ ...(await LISTINGS.read()), language: 'de', settings }),
  };
  const textOf = async (preview: object) => {
    const state = { ...STATE, language: null, moves: AGREED, can: ['counter', 'accept'] };
    const call = start([{ ...READ, state, payment: { way: 'closing' } }], listings, WITH_MAIL);
    const { body } = await call({ offer_id: OFFER, preview: { seen: 1, ...preview } }, SESSION);
    return (body as { mail: { text: string } }).mail.text;
  };
  assert.match(await textOf({ kind: 'counter', amount: '5 000 kr' }), /\n\nBetrag: 5\.000\sSEK\n/);
  const accepted = await textOf({ kind: 'accept' });
  assert.match(accepted, /^Vereinbart: 4\.100\s\$ für lap\.app\.[\s\S]*\nReferenz: REFERENCE\n/);
  assert.doesNotMatch(accepted, /Zahlbar bis/);
});

test('the owner sees the link of a name that is not for sale any more', async () => {
  const link = { number: 1, nonce: 'a'.repeat(32), hash: hashOfToken(TOKEN) };
  const reserved = { ...LISTINGS, read: async () => ({ ...(await LISTINGS.read()), states: new Map() }) };
  const { body } = await send({ offer_id: OFFER }, [{ ...READ, link }], SESSION, reserved);
  assert.equal((body as Negotiation).link, `https://names.example/offer/#${TOKEN}`);
});

test('a new link after a restore does not repeat the one that was made before it', async () => {
  const tokens = [];
  for (const _ of ['before', 'after']) {
    const { calls } = await send({ offer_id: OFFER, new_link: true }, [READ, READ], SESSION);
    const link = storedBy(calls[1]);
    assert.equal(link.replace, true);
    tokens.push(linkToken('sb_secret_t', OFFER, link));
  }
  assert.notEqual(tokens[0], tokens[1]);
});

test('a new link takes the place of the one that works', async () => {
  const link = { number: 3, nonce: 'a'.repeat(32) };
  const hash = hashOfToken(linkToken('sb_secret_t', OFFER, link));
  const read = { ...READ, link: { ...link, hash } };
  const { calls } = await send({ offer_id: OFFER, new_link: true }, [read, read], SESSION);
  const { number, replace } = storedBy(calls[1]);
  assert.deepEqual([number, replace], [4, true]);
});

test('a link of another secret key is not shown, and the next move adds one beside it', async () => {
  const read = { ...READ, link: { number: 3, nonce: 'a'.repeat(32), hash: hashOfToken('other') } };
  const { body } = await send({ offer_id: OFFER }, [read], SESSION);
  assert.equal((body as { link?: string }).link, undefined);
  const { calls } = await send(
    { offer_id: OFFER, move: COUNTER },
    [read, { ...read, outcome: 'made' }],
    SESSION,
  );
  const { number, replace } = storedBy(calls[1]);
  assert.deepEqual([number, replace], [4, undefined]);
});

test('the owner’s calls need a session, and come from the admin host alone', async () => {
  assert.equal((await send({ offer_id: OFFER }, [], {})).status, 'session_ended');
  const foreign = { ...SESSION, origin: 'https://lap.app' };
  assert.equal((await send({ offer_id: OFFER }, [], foreign)).status, 'foreign_origin');
  const { authorization } = SESSION;
  assert.equal((await send({ offer_id: OFFER }, [READ], { authorization })).status, 200, 'from no page');
});

test('a session that has ended is no reason to call again', async () => {
  const { status, calls } = await send({ offer_id: OFFER }, [new Rejection('session_ended')], SESSION);
  assert.deepEqual([status, calls.length], ['session_ended', 1]);
});

test('the buyer’s token is hashed before it reaches the database', async () => {
  const { body, calls } = await send({ token: TOKEN }, [{ outcome: 'read', state: STATE }]);
  assert.deepEqual(body, { ...STATE, mails: false });
  assert.equal(calls[0]?.args.token_hash, hashOfToken(TOKEN));
  assert.ok(!JSON.stringify(calls).includes(TOKEN));
});

test('the buyer reads a name in another script decoded', async () => {
  const state = { ...STATE, domain: 'xn--bcher-kva.example' };
  const { body } = await send({ token: TOKEN }, [{ outcome: 'read', state }]);
  assert.deepEqual(body, { ...state, shown: 'bücher.example', mails: false });
});

/** What a call returns of an accepted offer. */
function acceptedOf(state: object, payment: object = {}) {
  const deal = { reference: 'LAP-7F3K', agreed_at: '2026-11-27T10:05:00+00:00' };
  return { outcome: 'read', state: { ...STATE, status: 'accepted', deal, ...state }, payment };
}
const AGREED = [{ ...STATE.moves[0], amount: 'usd 4.1k', value: 4100, currency: 'USD' }];

test('the closing text comes with an accepted offer alone, with its values as text', async () => {
  const listings = catalogueOf({
    closing: { en: '<p title="{amount}">{domain} for {amount}, {reference}, {email} {other}</p>' },
  });
  // Markup, a placeholder, a pattern of replacements, and a mark that turns text around.
  const moves = [{ ...STATE.moves[0], amount: '<b>$5</b> {domain} $&\u202e' }];
  const payment = { way: 'closing', email: '"<i>{domain}"\u202e@x.example' };
  const open = await send({ token: TOKEN }, [{ outcome: 'read', state: { ...STATE, moves } }], {}, listings);
  assert.equal((open.body as { closing?: string }).closing, undefined);
  const { body } = await send({ token: TOKEN }, [acceptedOf({ moves }, payment)], {}, listings);
  const amount = '&lt;b&gt;$5&lt;/b&gt; {domain} $&amp;';
  const email = '&quot;&lt;i&gt;{domain}&quot;@x.example';
  assert.equal(
    (body as { closing?: string }).closing,
    `<p title="${amount}">lap.app for ${amount}, LAP-7F3K, ${email} {other}</p>`,
  );
});

test('the closing text has a clear amount in the format of its language', async () => {
  const listings = catalogueOf({
    closing: { en: '<p>{amount}</p>', de: '<p title="{amount}">{amount} {minor} {currency}</p>' },
  });
  for (const [language, html] of [
    ['en', '<p><span translate="no">$4,100</span></p>'],
    ['de', '<p title="4100"><span translate="no">4.100 $</span> 410000 USD</p>'],
  ]) {
    const read = acceptedOf({ language, moves: AGREED }, { way: 'closing' });
    const { body } = await send({ token: TOKEN }, [read], {}, listings);
    assert.equal((body as { closing: string }).closing.replace('\u00a0', ' '), html);
  }
});

test('the closing text has its values in targets of links, too', async () => {
  // As Markdown is rendered.
  const listings = catalogueOf({
    closing: {
      en: '<a href="https://pay.example/%7Bdomain%7D?sum=%7Bamount%7D&amp;%7Bemail%7D">{domain}</a>',
    },
  });
  for (const [moves, sum] of [
    [[{ ...STATE.moves[0], amount: '"><i>$5 &' }], ''],
    [AGREED, '4100'],
  ]) {
    const read = acceptedOf({ moves }, { way: 'closing', email: 'a&b=c@x.example' });
    const { body } = await send({ token: TOKEN }, [read], {}, listings);
    assert.equal(
      (body as { closing?: string }).closing,
      `<a href="https://pay.example/lap.app?sum=${sum}&amp;a%26b%3Dc%40x.example">lap.app</a>`,
    );
  }
});

/** What a side reads of where to pay. */
async function payOf(isOwner: boolean, read: object, settings: PublishedSettings = {}) {
  const [body, headers] = isOwner ? [{ offer_id: OFFER }, SESSION] : [{ token: TOKEN }, {}];
  const { status, body: state } = await send(body, [read], headers, catalogueOf(settings));
  assert.equal(status, 200);
  return state as Negotiation;
}
const TEMPLATE = 'https://pay.example/{label}?a={amount}&m={minor}&c={currency_lower}&e={email}#{reference}';
const FILLED = 'https://pay.example/lap?a=4100&m=410000&c=usd&e=a%2Bb%40x.example#LAP-7F3K';

test('the buyer gets a button with the agreed amount and its host, and no closing text beside it', async () => {
  const payment = { way: 'template', template: TEMPLATE, email: 'a+b@x.example' };
  const settings = { closing: { en: '<p>IBAN</p>' } };
  const state = await payOf(false, acceptedOf({ moves: AGREED }, payment), settings);
  assert.deepEqual(state.deal, {
    ...{ reference: 'LAP-7F3K', agreed_at: '2026-11-27T10:05:00+00:00' },
    pay: { url: FILLED, host: 'pay.example' },
  });
  assert.deepEqual(
    [state.domain, state.seen, state.moves.map(({ amount }) => amount)],
    ['lap.app', 1, ['usd 4.1k']],
  );
  assert.deepEqual([state.closing, state.payment], [undefined, undefined]);
  assert.match(state.after_payment ?? '', /^<ol><li>The owner sees your payment/);
  // A former amount of the negotiation is never paid.
  const moves = [
    ...AGREED,
    { ...AGREED[0], number: 2, kind: 'counter', side: 'owner', amount: '$4,200', value: 4200 },
  ];
  assert.match((await payOf(false, acceptedOf({ moves }, payment))).deal?.pay?.url ?? '', /a=4200&m=420000/);
  const link = { ...payment, way: 'link', link: 'https://escrow.example/t/1?x={amount}' };
  assert.deepEqual((await payOf(false, acceptedOf({ moves: AGREED }, link))).deal?.pay, {
    url: 'https://escrow.example/t/1?x={amount}',
    host: 'escrow.example',
  });
});

test('there is no button once it is paid or taken back, and none for an amount that is not certain', async () => {
  const settings = { closing: { en: '<p>IBAN</p>' } };
  const payment = { way: 'template', template: TEMPLATE, email: 'a@x.example' };
  const paid = acceptedOf(
    { moves: AGREED, deal: { reference: 'LAP-7F3K', agreed_at: 'x', paid_at: 'y' } },
    payment,
  );
  for (const isOwner of [false, true])
    assert.equal((await payOf(isOwner, paid, settings)).deal?.pay, undefined);
  const back = { outcome: 'read', state: { ...STATE, moves: AGREED } };
  const { deal, closing, after_payment } = await payOf(false, back, settings);
  assert.deepEqual([deal, closing, after_payment], [undefined, undefined, undefined]);
  const former = acceptedOf({ moves: AGREED, status: 'open' }, payment);
  for (const isOwner of [false, true])
    assert.equal((await payOf(isOwner, former, settings)).deal?.pay, undefined);
  for (const moves of [
    [{ ...AGREED[0], value: undefined, currency: undefined }],
    [{ ...AGREED[0], value: 0 }],
    [{ ...AGREED[0], value: -5 }],
    [{ ...AGREED[0], value: 12345678.9 }],
    // Half a yen.
    [{ ...AGREED[0], value: 4100.5, currency: 'JPY' }],
  ]) {
    const state = await payOf(false, acceptedOf({ moves }, payment), settings);
    assert.deepEqual([state.deal?.pay, state.closing], [undefined, '<p>IBAN</p>']);
  }
});

test('a template or a link that hides its host is no button', async () => {
  for (const url of [
    'javascript:alert(1)',
    'https://{amount}.example/x',
    'https://user:word@pay.example/',
    'https://pay.example\\@elsewhere.example/',
    `https://pay.example/${'x'.repeat(2_000)}`,
    'http://pay.example/',
  ]) {
    for (const payment of [
      { way: 'template', template: url },
      { way: 'link', link: url },
    ]) {
      const { deal } = await payOf(false, acceptedOf({ moves: AGREED }, payment));
      assert.equal(deal?.pay, undefined, url);
    }
  }
});

test('the owner sees before Accept what the buyer will see, and which ways there are', async () => {
  const settings = { closing: { en: '<p>{reference}</p>' }, checkoutHosts: ['escrow.example'], payDays: 7 };
  const open = {
    outcome: 'read',
    state: { ...STATE, moves: AGREED },
    payment: { way: 'template', template: TEMPLATE, email: 'a+b@x.example' },
  };
  const state = await payOf(true, open, settings);
  assert.deepEqual(state.payment, {
    ways: [
      { way: 'template', url: FILLED.replace('LAP-7F3K', 'REFERENCE'), host: 'pay.example' },
      { way: 'closing', html: '<p>REFERENCE</p>' },
    ],
    ...{ way: 'template', chosen: null, hosts: ['escrow.example'], pay_days: 7 },
  });
  assert.deepEqual([state.closing, state.after_payment, state.deal], [undefined, undefined, undefined]);
  const accepted = acceptedOf({ moves: AGREED }, { ...open.payment, chosen: 'template' });
  const chosen = await payOf(true, accepted, settings);
  assert.deepEqual([chosen.closing, chosen.payment?.chosen], ['<p>LAP-7F3K</p>', 'template']);
  const taken = {
    ...acceptedOf({ moves: AGREED }),
    payment: { ...open.payment, way: undefined, taken_by: 'Bea' },
  };
  const { deal, payment } = await payOf(true, taken, settings);
  assert.deepEqual([deal?.pay, payment?.way, payment?.taken_by], [undefined, null, 'Bea']);
  assert.doesNotMatch(JSON.stringify(await payOf(false, taken, settings)), /Bea|pay\.example|html|<p>/);
  const bare = await payOf(true, { outcome: 'read', state: STATE, payment: {} });
  assert.deepEqual(bare.payment, { ways: [], way: null, chosen: null, hosts: [], pay_days: null });
});

test('what happens after the payment is the owner’s text, else one in the language of the page', async () => {
  const payment = { way: 'closing' };
  const closing = { en: 'x' };
  const after = async (language: string, settings: PublishedSettings) =>
    (await payOf(false, acceptedOf({ moves: AGREED, language }, payment), { closing, ...settings }))
      .after_payment;
  assert.match((await after('de', {})) ?? '', /^<ol>(?:<li>[^<]+<\/li>){6}<\/ol>$/);
  assert.match((await after('de', {})) ?? '', /<li>lap\.app gehört Ihnen\./);
  assert.match((await after('fr', {})) ?? '', /<li>lap\.app is yours\./);
  const german = {
    ...LISTINGS,
    read: async () => ({ ...(await LISTINGS.read()), language: 'de', settings: { closing } }),
  };
  const french = await send(
    { token: TOKEN },
    [acceptedOf({ moves: AGREED, language: 'fr' }, payment)],
    {},
    german,
  );
  assert.match(
    (french.body as Negotiation).after_payment ?? '',
    /<li>lap\.app gehört Ihnen\./,
    'the site’s first',
  );
  for (const [settings, sees] of [
    [{}, 'Der Inhaber sieht'],
    [{ owner: 'Ada <i> $&' }, 'Ada &lt;i&gt; $&amp; sieht'],
  ] as const)
    assert.ok((await after('de', settings))?.startsWith(`<ol><li>${sees} Ihre Zahlung`), sees);
  assert.equal(await after('de', { afterPayment: { de: '<p>{domain}</p>' } }), '<p>lap.app</p>');
  assert.equal(
    (await payOf(false, acceptedOf({ moves: AGREED }))).after_payment,
    undefined,
    'nowhere to pay',
  );
});

test('a change of a deal is made as the user, and its link is stored as browsers read it', async () => {
  const settings = { checkoutHosts: ['pay.example', 'escrow.example'], payDays: 7 };
  const change = (field: string, to: unknown) =>
    send(
      { offer_id: OFFER, deal: { reference: 'LAP-7F3K', seen: 0, field, to } },
      [{ ...acceptedOf({ moves: AGREED }), outcome: 'made' }],
      SESSION,
      catalogueOf(settings),
    );
  const { calls, moves } = await change('link', ' https://Pay.EXAMPLE:443/a b?é ');
  assert.deepEqual(calls, [], 'a space is no part of a link');
  assert.equal(moves, 0);
  const made = await change('link', ' https://Pay.EXAMPLE:443?é"{} ');
  assert.deepEqual(made.calls[0]?.args, {
    offer_id: OFFER,
    deal: { reference: 'LAP-7F3K', seen: 0, field: 'link', to: 'https://pay.example/?%C3%A9%22{}' },
  });
  assert.deepEqual(
    [made.status, made.calls.length, made.calls[0]?.authorization, made.moves],
    [200, 1, 'Bearer t', 1],
  );
  for (const [field, to, code] of [
    ['link', 'javascript:alert(1)', 'not_a_pay_link'],
    ['link', 'https://user:word@pay.example', 'not_a_pay_link'],
    ['link', 'https://pay.example\\@elsewhere.example', 'not_a_pay_link'],
    ['link', 'https://pay.example/\u202ex', 'not_a_pay_link'],
    ['link', `https://pay.example/${'x'.repeat(2_000)}`, 'not_a_pay_link'],
    ['link', '', 'not_a_pay_link'],
    ['link', 'https://pay.example:8443/', 'pay_link_elsewhere'],
    ['link', 'https://{amount}.pay.example/', 'not_a_pay_link'],
    ['link', 'https://pay.example.elsewhere.example', 'pay_link_elsewhere'],
    ['link', 'https://elsewhere-pay.example/', 'pay_link_elsewhere'],
    ['link', 'https://a.pay.example/', 'pay_link_elsewhere'],
    ['pay_by', '2020-01-01', 'not_a_pay_date'],
    ['pay_by', '2099-01-01', 'not_a_pay_date'],
    ['pay_by', '2026-02-30', 'malformed'],
    ['pay_by', 'soon', 'malformed'],
    ['paid', 'yes', 'malformed'],
    ['way', 'cash', 'malformed'],
    ['price', '5', 'malformed'],
  ] as const) {
    const { status, body, values, calls } = await change(field, to);
    assert.deepEqual([status, calls.length], [code, 0], String(to));
    if (code !== 'malformed') assert.deepEqual(body, { field }, 'the dashboard marks it');
    if (code === 'not_a_pay_link') assert.deepEqual(values, { max: '2000' });
    if (code === 'pay_link_elsewhere')
      assert.deepEqual(values, { host: new URL(to).host, hosts: 'pay.example, escrow.example' });
  }
  for (const [field, to] of [
    ['link', null],
    ['pay_by', null],
    ['way', null],
    ['sold', false],
  ] as const)
    assert.equal((await change(field, to)).status, 200, field);
});

test('a deal is paid within a year, and today may be yesterday in UTC', async () => {
  for (const [days, expected] of [
    [-2, 'not_a_pay_date'],
    [-1, 200],
    [366, 200],
    [367, 'not_a_pay_date'],
  ] as const) {
    const to = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const deal = { reference: 'LAP-7F3K', seen: 0, field: 'pay_by', to };
    const made = { ...acceptedOf({}), outcome: 'made' };
    assert.equal((await send({ offer_id: OFFER, deal }, [made], SESSION)).status, expected, `${days} days`);
  }
});

test('a link for one deal is not possible without hosts, and a change comes alone', async () => {
  const deal = { reference: 'LAP-7F3K', seen: 0, field: 'link', to: 'https://pay.example/' };
  assert.equal((await send({ offer_id: OFFER, deal }, [], SESSION)).status, 'not_possible');
  const both = { offer_id: OFFER, deal: { ...deal, field: 'paid', to: true }, move: COUNTER };
  assert.equal((await send(both, [], SESSION)).status, 'malformed');
  const { move: _, ...change } = both;
  assert.equal((await send({ ...change, new_link: true }, [], SESSION)).status, 'malformed');
  assert.equal((await send({ token: TOKEN, deal }, [])).status, 'malformed', 'a buyer changes nothing');
});

test('each outcome has its rejection', async () => {
  for (const [outcome, code] of [
    [{ outcome: 'moved', state: STATE }, 'moved'],
    [{ outcome: 'ended', state: STATE }, 'ended'],
    [{ outcome: 'not_possible', state: STATE }, 'not_possible'],
    [{ outcome: 'too_many', state: STATE }, 'too_many_moves'],
    [{ outcome: 'mails_full', state: STATE }, 'mails_full'],
    [{ outcome: 'unknown' }, 'offer_erased'],
    [{ outcome: 'taken', state: STATE }, 'not_possible'],
    [{ outcome: 'taken', state: STATE, taken_by: 'Bea' }, 'name_accepted'],
    [{ outcome: 'invalid' }, 'link_invalid'],
    [{ outcome: 'limited', wait: 60 }, 'too_many_links'],
  ] as const) {
    const move = { kind: 'accept', seen: 2 };
    const { status, body, values } = await send({ token: TOKEN, move }, [outcome]);
    assert.equal(status, code);
    if (code === 'name_accepted') assert.deepEqual(values, { name: 'Bea' });
    if (code === 'moved') assert.deepEqual(body, { state: { ...STATE, mails: false } });
  }
});

test('a call that failed after its commit is repeated', async () => {
  for (const lost of [new Error('no response'), new DatabaseUnavailable('no response')]) {
    const { status, calls, moves } = await send({ token: TOKEN, move: { kind: 'accept', seen: 2 } }, [
      lost,
      { outcome: 'repeated', state: STATE },
    ]);
    assert.deepEqual([status, calls.length, moves], [200, 2, 1], 'its mail is sent, too');
  }
});

test('a move that a client repeats starts no delivery', async () => {
  const body = { token: TOKEN, move: { kind: 'accept', seen: 2 } };
  const { status, moves } = await send(body, [{ outcome: 'repeated', state: STATE }]);
  assert.deepEqual([status, moves], [200, 0]);
});

test('moves of both sides come with the limit of mails to buyers, and whether mail is configured', async () => {
  const made = { outcome: 'made', state: STATE, link: null };
  const { calls } = await send({ token: TOKEN, move: { kind: 'accept', seen: 2 } }, [made]);
  const owner = await send({ offer_id: OFFER, move: COUNTER }, [READ, made], SESSION);
  for (const call of [calls[0], owner.calls[1]]) {
    const limits = call?.args.mail_limits as Limit[];
    assert.deepEqual(
      [call?.args.mail, ...limits.map(({ bucket, max }) => `${bucket} ${max}`)],
      [false, 'reply.all 200'],
    );
  }
});

test('a buyer’s move comes with the targets of the owner', async () => {
  const made = { outcome: 'made', state: STATE };
  const call = start([made], LISTINGS, WITH_MAIL);
  const { calls } = await call({ token: TOKEN, move: { kind: 'accept', seen: 2 } });
  assert.deepEqual([calls[0]?.args.targets, calls[0]?.args.mail], [['mailto:owner@example.com'], true]);
});

test('a token of another shape does not reach the database', async () => {
  for (const token of ['', 't', TOKEN.slice(1), `${TOKEN}0`, TOKEN.toUpperCase(), `${TOKEN}\n`]) {
    const { status, calls } = await send({ token }, []);
    assert.deepEqual([status, calls.length], ['link_invalid', 0], token);
  }
});

const from = (ip: string) => ({ [SETTINGS.ipHeader]: ip });
const tokenOf = (number: number) => linkToken('sb_secret_t', OFFER, { number, nonce: 'a'.repeat(32) });

test('dead tokens count for their sender and its network', async () => {
  const keysOf = async (ip: string) => {
    const { calls } = await send({ token: TOKEN }, [{ outcome: 'invalid' }], from(ip));
    const limits = calls.flatMap(({ args }) => args.limits as Limit[]);
    return limits.map(({ bucket, max, key }) => `${bucket} ${max} ${key}`);
  };
  const [ip = '', network = ''] = await keysOf('192.0.2.1');
  assert.match(ip, /^link\.ip 60 /);
  assert.match(network, /^link\.network 240 /);
  const [neighbour, sameNetwork] = await keysOf('192.0.2.2');
  assert.notEqual(neighbour, ip);
  assert.equal(sameNetwork, network);
  assert.notEqual((await keysOf('198.51.100.1'))[1], network);
});

for (const [full, neighbours] of [
  ['link.ip', 'link_invalid'],
  ['link.network', 'too_many_links'],
] as const) {
  test(`a sender past ${full} is rejected without the database, and its good links are not`, async () => {
    const limited = { outcome: 'limited', wait: 60, full: { [full]: 60 } };
    const hashes = [hashOfToken(TOKEN), hashOfToken(tokenOf(2))].map((hash) => hash.slice(0, 8));
    const outcomes: unknown[] = [limited, hashes, { outcome: 'read', state: STATE }];
    const call = start(outcomes);
    const statusOf = async (token: string, ip = '192.0.2.1') => (await call({ token }, from(ip))).status;
    assert.equal(await statusOf(TOKEN), 'too_many_links');
    for (let number = 3; number < 9; number += 1)
      assert.equal(await statusOf(tokenOf(number)), 'too_many_links');
    assert.equal(await statusOf(TOKEN), 'too_many_links', 'of a link that is dead');
    assert.equal(await statusOf(tokenOf(2)), 200);
    outcomes.push({ outcome: 'invalid' }, { outcome: 'invalid' });
    assert.equal(await statusOf(tokenOf(3), '192.0.2.2'), neighbours);
    assert.equal(await statusOf(tokenOf(3), '198.51.100.1'), 'link_invalid');
    const { calls } = await call({ token: tokenOf(3) }, from('192.0.2.1'));
    const others = neighbours === 'link_invalid' ? 2 : 1;
    assert.deepEqual(
      calls.map(({ name }) => name),
      ['negotiate_as_buyer', 'read_link_hashes', ...Array<string>(1 + others).fill('negotiate_as_buyer')],
    );
  });
}

test('a link opens 60 times a minute, and another one still does', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const outcomes = Array.from({ length: 62 }, () => ({ outcome: 'read', state: STATE }));
  const call = start(outcomes);
  const open = async (number: number) => call({ token: tokenOf(number) }, from('192.0.2.1'));
  const statusOf = async (number: number) => (await open(number)).status;
  for (let use = 0; use < 60; use += 1) assert.equal(await statusOf(1), 200);
  const { status, headers } = await open(1);
  assert.deepEqual([status, headers], ['too_many_links', { 'retry-after': '60' }]);
  assert.equal(await statusOf(2), 200);
  t.mock.timers.tick(59_999);
  assert.deepEqual((await open(1)).headers, { 'retry-after': '1' });
  t.mock.timers.tick(1);
  assert.equal(await statusOf(1), 200);
  // A page that stays open reads its deal twice a minute.
  for (let use = 0; use < 100; use += 1) {
    t.mock.timers.tick(30_000);
    outcomes.push({ outcome: 'read', state: STATE });
    assert.equal(await statusOf(3), 200);
  }
  // One that opens nothing (any more) is limited by its sender alone.
  outcomes.push({ outcome: 'read', state: STATE });
  assert.equal(await statusOf(4), 200);
  for (let use = 0; use < 61; use += 1) {
    outcomes.push({ outcome: 'invalid' } as never);
    assert.equal(await statusOf(4), 'link_invalid');
  }
});

test('uses of a link at one time count each', async () => {
  const call = start(Array.from({ length: 61 }, () => ({ outcome: 'read', state: STATE })));
  const open = async () => (await call({ token: TOKEN })).status;
  const statuses = await Promise.all(Array.from({ length: 60 }, open));
  assert.deepEqual(new Set(statuses), new Set([200]));
  assert.equal(await open(), 'too_many_links');
});

test('a link that was made just now opens for a limited sender, too', async () => {
  const outcomes: unknown[] = [{ outcome: 'limited', wait: 60, full: { 'link.ip': 60 } }, []];
  const call = start(outcomes);
  const statusOf = async (number: number) =>
    (await call({ token: tokenOf(number) }, from('192.0.2.1'))).status;
  assert.equal(await statusOf(1), 'too_many_links');
  assert.equal(await statusOf(3), 'too_many_links', 'the list is read');
  const link = { number: 2, nonce: 'a'.repeat(32), hash: hashOfToken(tokenOf(2)) };
  outcomes.push(READ, { ...READ, link }, { outcome: 'read', state: STATE });
  await call({ offer_id: OFFER, new_link: true }, SESSION);
  assert.equal(await statusOf(2), 200);
});

test('a body that does not end is rejected after 5 s', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const request = new Request('https://names.example', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: new ReadableStream(),
    duplex: 'half',
  } as RequestInit);
  const callDatabase = checkResults(async () => assert.fail('called'));
  let code: unknown;
  void createNegotiation({ settings: SETTINGS, listings: LISTINGS, callDatabase })(request).catch((error) => {
    code = error.code;
  });
  t.mock.timers.tick(4_999);
  await new Promise(setImmediate);
  assert.equal(code, undefined);
  t.mock.timers.tick(1);
  for (let turn = 0; turn < 9; turn += 1) await new Promise(setImmediate);
  assert.equal(code, 'too_slow');
});

test('a body of more than 16 KB is rejected', async () => {
  const { status, calls } = await send({ token: TOKEN, note: 'n'.repeat(16 * 1024) }, []);
  assert.deepEqual([status, calls.length], ['too_large', 0]);
});

test('a move that is no move is rejected with its field', async () => {
  for (const [move, code, field, max] of [
    [{ kind: 'counter', seen: 1 }, 'missing', 'amount'],
    [{ kind: 'offer', seen: 1 }, 'missing', 'amount'],
    [{ kind: 'counter', seen: 1, amount: ' ' }, 'missing', 'amount'],
    [{ kind: 'offer', seen: 1, amount: 'a\nb' }, 'not_plain_text', 'amount'],
    [{ kind: 'offer', seen: 1, amount: '1'.repeat(501) }, 'too_long', 'amount', '500'],
    [{ kind: 'accept', seen: 1, note: 'n'.repeat(1001) }, 'too_long', 'note', '1000'],
    ...[
      { kind: 'close', seen: 1 },
      ...[0, -1, 1.5, 1001].map((seen) => ({ kind: 'accept', seen })),
      { ...COUNTER, days: 5 },
      { kind: 'take_back', seen: 1, as: 'accepted' },
      { kind: 'take_back', seen: 1, deal_seen: -1 },
    ].map((move) => [move, 'malformed', undefined] as const),
  ] as const) {
    for (const [side, headers] of [
      [{ token: TOKEN }, {}],
      [{ offer_id: OFFER }, SESSION],
    ] as const) {
      const { status, body, values, calls } = await send({ ...side, move }, [], headers);
      assert.deepEqual([status, calls.length], [code, 0]);
      assert.deepEqual(body, field && { field });
      assert.equal(values?.field, field && `the ${field}`);
      if (max) assert.equal(values?.max, max);
    }
  }
});
