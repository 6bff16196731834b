/** Bad input to `order-submit`: no server error, and one stored offer per 201, unchanged. */
import assert from 'node:assert/strict';
import { afterEach, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { OFFER_LIMITS, type OfferSubmission, OfferSubmissionSchema } from '#contract/offer.ts';
import { type HttpResponse, jsonOf } from '../support/http-client.ts';
import type { AbusedProduct } from './abused-product.ts';
import { badInput } from './bad-input.ts';
import { checkInBatches } from './check-in-batches.ts';
import { dataKeys } from './data-keys.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { PLANTED_OFFER } from './leaks.ts';
import { encodeProof, proofMaker } from './proofs.ts';
import { count } from './report.ts';
import { sharedProduct } from './shared-product.ts';
import { fastCheckSettings } from './short-form.ts';
import { storedOffers } from './stored-offers.ts';

const FIELDS = ['domain_name', 'offer_amount', 'customer_name', 'customer_email', 'turnstile_token'] as const;

describe('order-submit', () => {
  let product: AbusedProduct;
  let makeProof: ReturnType<typeof proofMaker>;
  /** The offers that got 201, by id. */
  const acknowledged = new Map<string, OfferSubmission>();
  /** The ids of the offers that other tests made before. */
  let others: Set<string>;

  before(async () => {
    product = await sharedProduct();
    makeProof = proofMaker(dataKeys(product.dataDir).secretKey);
    others = new Set((await storedOffers(product)).map(({ id }) => id));
  });

  const submit = (body: unknown, headers?: Record<string, string>) =>
    product.call('order-submit', body, headers);
  const offer = async (change: Partial<OfferSubmission> = {}): Promise<OfferSubmission> => {
    const made = { ...PLANTED_OFFER, ...change };
    const proof = await makeProof({ domain: made.domain_name });
    return { turnstile_token: encodeProof(proof), ...made };
  };
  const remember = (response: HttpResponse, sent: OfferSubmission) => {
    assert.equal(response.status, 201, response.text);
    acknowledged.set(String(jsonOf(response).id), sent);
    count('acknowledged');
  };
  const rejects = async (what: string, body: unknown, code: string, field?: string) => {
    const response = await badInput(what, submit(body));
    assert.equal(jsonOf(response).code, code, what);
    assert.match(String(jsonOf(response).error), /^[A-Z].+\.$/, 'a sentence for the person');
    assert.equal(jsonOf(response).field, field, `${what}: the field that is meant`);
  };

  /** The database holds exactly the acknowledged offers, each once and unchanged. */
  afterEach(async () => {
    const rows = (await storedOffers(product)).filter(({ id }) => !others.has(id));
    const ids = new Set(rows.map(({ id }) => id));
    const lost = [...acknowledged.keys()].filter((id) => !ids.has(id));
    count('lost', lost.length);
    count('doubled', rows.length - ids.size + [...ids].filter((id) => !acknowledged.has(id)).length);
    assert.deepEqual(lost, []);
    assert.equal(rows.length, acknowledged.size, 'as many rows as responses with 201');
    for (const { id, status, created_at, held, low, value, currency, ...texts } of rows) {
      const { turnstile_token: _, ...sent } = acknowledged.get(id) ?? ({} as OfferSubmission);
      assert.deepEqual(texts, sent);
      assert.equal(status, 'pending');
      assert.deepEqual([held, low], [false, false]);
      // Read in the amount, or found to be none.
      assert.match(String(currency), value === null ? /^$/ : /^[A-Z]{3}$/);
      assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 3_600_000, 'dated by the server');
    }
  });

  test('a body that is not a JSON object in UTF-8 is malformed', async () => {
    const good = Buffer.from(JSON.stringify(await offer()));
    const bodies: Record<string, string | Uint8Array> = {
      'an empty body': '',
      'an array': '[]',
      'a null': 'null',
      'a text': '"offer"',
      'a number': '1',
      'half an object': good.subarray(0, good.length / 2),
      'an object and more': `${good}{}`,
      'a comma too many': '{"a":1,}',
      'single quotes': "{'domain_name':'lap.app'}",
      'arrays, 30,000 deep': '['.repeat(30_000),
      'objects, 10,000 deep': '{"a":'.repeat(10_000),
      'broken UTF-8': Buffer.from(good.toString('latin1').replace('Planted', 'Plant\xff\xc0\x80'), 'latin1'),
      'an overlong NUL in UTF-8': Buffer.from(good.toString().replace('Planted', 'a\xc0\x80'), 'latin1'),
      'half a surrogate pair in UTF-8': Buffer.from(
        good.toString().replace('Planted', '\xed\xa0\x80'),
        'latin1',
      ),
      'UTF-16': Buffer.from(good.toString(), 'utf16le'),
      'a NUL byte in the text': good.toString().replace('Planted', 'a\0b'),
      'a form': 'domain_name=lap.app&offer_amount=1',
      XML: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    };
    for (const [what, body] of Object.entries(bodies)) await rejects(what, body, 'malformed');
  });

  test('missing, mistyped, too long and control-character fields are named in the error', async () => {
    const sent = await offer();
    for (const field of FIELDS) {
      const { [field]: _, ...without } = sent;
      await rejects(`no ${field}`, without, 'missing', field);
      for (const value of [null, 1, true, [], ['a'], {}, { toString: 'a' }, '', ' \t ', '\u00a0\u3000']) {
        await rejects(`${field} is ${JSON.stringify(value)}`, { ...sent, [field]: value }, 'missing', field);
      }
      for (const value of ['a\0b', 'a\r\nb', 'a\tb', 'a\u0085b', 'a\u007f']) {
        const what = `${field} is ${JSON.stringify(value)}`;
        await rejects(what, { ...sent, [field]: value }, 'not_plain_text', field);
      }
      const long = '😀'.repeat(OFFER_LIMITS[field] + 1);
      await rejects(`${field} is too long`, { ...sent, [field]: long }, 'too_long', field);
      const half = JSON.stringify(sent).replace(`"${field}":"`, `"${field}":"\\ud800`);
      await rejects(`${field} has half a surrogate pair`, half, 'not_plain_text', field);
    }
  });

  test('unknown fields are rejected', async () => {
    const sent = await offer();
    for (const field of ['status', 'id', 'created_at', '', 'a'.repeat(50_000), '𝒔', 'toString']) {
      await rejects(`the field ${field.slice(0, 20)}`, { ...sent, [field]: 'accepted' }, 'unknown_field');
    }
    // As text, because in an object literal __proto__ would be no field.
    const more = (text: string) => JSON.stringify(sent).replace(/}$/, `,${text}}`);
    await rejects('__proto__', more('"__proto__":{"status":"accepted"}'), 'unknown_field');
    await rejects('constructor', more('"constructor":{"prototype":{"a":1}}'), 'unknown_field');
  });

  test('an email that browsers reject is rejected, above all with injected headers', async () => {
    const bad = ['ada', 'ada@', '@a.example', 'a b@c.example', 'a@b@c', 'a@b,c@d', '<a@b>', 'ä@b.example'];
    for (const email of bad) {
      await rejects(email, await offer({ customer_email: email }), 'not_an_email', 'customer_email');
    }
    const injected = 'a@b.example\r\nBcc: everybody@example.com';
    await rejects('CRLF', await offer({ customer_email: injected }), 'not_plain_text', 'customer_email');
  });

  test('an offer for a name that is not exactly in the catalogue is rejected', async () => {
    const names = [
      'LAP.APP',
      'lap.app.',
      'www.lap.app',
      'lаp.app',
      'lap.app\u200b',
      'constructor',
      'a'.repeat(253),
    ];
    for (const name of [...names, ...HOSTILE_TEXTS.filter((one) => one.length < 250)]) {
      await rejects(name, await offer({ domain_name: name }), 'unknown_domain');
    }
  });

  test('a malformed proof of work is rejected', async () => {
    const proof = await makeProof();
    const tokens = [
      ...HOSTILE_TEXTS.filter((text) => [...text].length <= OFFER_LIMITS.turnstile_token),
      ...[null, [], {}, { challenge: null }, { challenge: {}, solution: {} }].map(encodeProof),
      encodeProof({ ...proof, solution: null }),
      encodeProof({ ...proof, challenge: { ...proof.challenge, signature: 'a'.repeat(63) } }),
    ];
    for (const turnstile_token of tokens) {
      await rejects(turnstile_token.slice(0, 40), { ...PLANTED_OFFER, turnstile_token }, 'bot_check_failed');
    }
    const turnstile_token = 'XXXX.DUMMY.TOKEN.XXXX';
    await rejects('a token of Turnstile', { ...PLANTED_OFFER, turnstile_token }, 'bot_check_other');
  });

  test('the last of two equal keys counts, for the check and for the database', async () => {
    const sent = await offer();
    const body = JSON.stringify(sent).replace(/^{/, '{"domain_name":"not.for.sale","customer_name":"Other",');
    remember(await submit(body), sent);
    const other = await offer();
    await rejects(
      'twice',
      JSON.stringify(other).replace(/}$/, ',"domain_name":"not.for.sale"}'),
      'unknown_domain',
    );
  });

  test('every hostile text is stored unchanged in every field that accepts it', async () => {
    for (const text of HOSTILE_TEXTS) {
      const sent = await offer({ offer_amount: text, customer_name: text });
      remember(await badInput(text, submit(sent)), sent);
    }
  });

  test('random bodies cause no server error', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ unit: 'binary', maxLength: 300 }).map((text) => Buffer.from(text)),
      fc.json({ maxDepth: 6 }).map((text) => Buffer.from(text)),
    );
    await checkInBatches(bytes, fastCheckSettings(60, 6), async (body) => {
      const response = await badInput('any bytes', submit(body));
      assert.equal(response.status, 400, response.text);
    });
  });

  test('offers with one random field cause no server error', async () => {
    const change = fc.tuple(fc.constantFrom(...FIELDS), fc.jsonValue({ maxDepth: 3 }));
    await checkInBatches(change, fastCheckSettings(60, 6), async ([field, value]) => {
      const sent = { ...PLANTED_OFFER, turnstile_token: 'no token', [field]: value };
      const response = await badInput(`${field} of any value`, submit(sent));
      assert.ok(response.status >= 400, 'without a proof nothing is stored');
    });
  });

  test('random offers with a proof are stored unchanged or rejected as the contract requires', async () => {
    const text = (max: number) =>
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: max }),
        fc.string({ unit: 'grapheme', maxLength: max }),
        fc.constantFrom(...HOSTILE_TEXTS),
      );
    const texts = fc.record({
      domain_name: fc.oneof({ weight: 9, arbitrary: fc.constantFrom('lap.app', 'sample.app') }, text(20)),
      offer_amount: text(80),
      customer_name: text(80),
      customer_email: fc.oneof({ weight: 9, arbitrary: fc.emailAddress() }, text(20)),
    });
    await checkInBatches(texts, fastCheckSettings(70, 8), async (made) => {
      const sent = await offer(made);
      const forSale = ['lap.app', 'sample.app', 'site.example', 'host.example'].includes(sent.domain_name);
      const good = OfferSubmissionSchema.safeParse(sent).success && forSale;
      const response = await badInput(JSON.stringify(made), submit(sent));
      if (good) remember(response, sent);
      else assert.ok(response.status === 400 || response.status === 422, response.text);
    });
  });
});
