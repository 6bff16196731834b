/** What the offer form shows of its fields, of an error, and of an offer that was stored. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { buildOptions, html, textOf } from '../../tests/support/rendered.ts';
import { en } from '../i18n/en.ts';
import type { FormMessages } from '../i18n/messages.ts';

const { OfferFailure } = await import('./OfferFailure.tsx');
const { OfferFields } = await import('./OfferFields.tsx');
const { OfferSubmitted } = await import('./OfferSubmitted.tsx');

const NOW = '2026-11-20T12:00:00Z';
const MESSAGES: FormMessages = {
  ...en.form,
  labels: { ...en.form.labels, message: en.offerMessage.label },
  hints: { ...en.form.hints, customer_email: 'Only for the answer.', message: en.offerMessage.hint },
  addMessage: en.offerMessage.add,
  low: en.lowOffer,
  noAmount: en.noAmount,
};

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['Date'], now: Date.parse(NOW) });
});
afterEach(() => {
  for (const name of Object.keys(buildOptions)) delete buildOptions[name];
});

test('each field has its label, its hint or what is wrong with it, and a reader is told', () => {
  const render = (problems: object = {}, rejected?: string) =>
    html(OfferFields as never, { messages: MESSAGES, rejected, problems });
  assert.deepEqual(textOf(render()), [
    'Your Offer',
    'Any amount, in your own words.',
    'Name',
    'Email',
    'Only for the answer.',
  ]);
  const wrong = { offer_amount: 'missing', customer_name: 'missing', customer_email: 'format' };
  assert.deepEqual(textOf(render(wrong)), [
    'Your Offer',
    'Please write your offer.',
    'Name',
    'Please write your name.',
    'Email',
    'Please write a whole email address.',
  ]);
  const field = (markup: string, id: string) =>
    [
      ...(new RegExp(`<\\w+ id="${id}"[^>]*>`).exec(markup)?.[0] ?? '').matchAll(
        / (required|aria-\w+)="([^"]*)"/g,
      ),
    ].map(([, name, value]) => [name, value]);
  assert.deepEqual(field(render(), 'customer-name'), [['required', '']]);
  assert.deepEqual(field(render(wrong), 'customer-name'), [
    ['required', ''],
    ['aria-invalid', 'true'],
    ['aria-describedby', 'customer-name-hint'],
  ]);
  assert.deepEqual(field(render({}, 'customer_email'), 'customer-email'), [
    ['required', ''],
    ['aria-invalid', 'true'],
    ['aria-describedby', 'offer-failure customer-email-hint'],
  ]);
  buildOptions.OFFER_MESSAGE = true;
  assert.deepEqual(textOf(render()).slice(-3), [
    'Add a message (optional)',
    'Message (optional)',
    'What the owner should know, in at most 1,000 characters.',
  ]);
  assert.deepEqual(field(render(), 'message'), [['aria-describedby', 'message-hint']]);
  // An offer without a number is asked about, and is no mistake.
  buildOptions.LOW_OFFERS = true;
  const asked = render({ offer_amount: 'amount' });
  assert.equal(textOf(asked)[1], 'No amount in it. Press Submit Offer again to send it as it is.');
  assert.deepEqual(field(asked, 'offer-amount'), [
    ['required', ''],
    ['aria-describedby', 'offer-amount-hint'],
  ]);
});

test('an error has the message of its reason, and when it is tried again', () => {
  const lines = (failure: object, more: object = {}) =>
    textOf(
      html(OfferFailure as never, {
        failure,
        messages: MESSAGES,
        rejections: undefined,
        isRepeated: false,
        ...more,
      }),
    );
  for (const reason of ['bot-check-missing', 'no-domain', 'unexpected'] as const)
    assert.deepEqual(lines({ reason }), [en.form.failures[reason]]);
  assert.deepEqual(lines({ reason: 'rejected' }), ['Unknown error']);
  assert.deepEqual(lines({ reason: 'rejected', error: 'Too many offers.' }), ['Too many offers.']);
  assert.deepEqual(lines({ reason: 'unsupported' }), [en.form.unsupported.text]);
  const contact = { url: 'mailto:a@owner.example', text: 'a@owner.example' };
  assert.deepEqual(lines({ reason: 'unsupported' }, { messages: { ...MESSAGES, contact } }), [
    `${en.form.unsupported.text} ${en.form.unsupported.write} a@owner.example`,
  ]);
  const failed = en.form.failures.unexpected;
  const at = (seconds: number) =>
    lines({ reason: 'unexpected' }, { retryAt: Date.parse(NOW) + seconds * 1_000 });
  assert.deepEqual(at(4.2), [`${failed} Trying again in 5 s.`]);
  assert.deepEqual(at(0), [`${failed} Trying again…`]);
});

test('a stored offer says what happens now, and what was sent', () => {
  const { escrow, transfer } = en.page.seller.steps;
  const offer = {
    domain_name: 'xn--bcher-kva.example',
    offer_amount: '$4,000',
    customer_name: 'Ada',
    customer_email: 'ada@example.com',
    message: ' With the logo. ',
  };
  const lines = (steps: object, low?: true) =>
    textOf(
      html(OfferSubmitted, {
        submitted: { status: 'submitted', domain: 'bücher.example', offer, ...(low && { low }) },
        isLeft: false,
        messages: MESSAGES,
        steps: steps as never,
        language: 'en',
        replyHours: 24,
      }),
    );
  assert.deepEqual(lines({ transfer }), [
    'Offer Submitted!',
    "We'll get back to you within {replyTime}.",
    'You can close this page.',
    'What happens now',
    'Your offer has arrivedNov 20, 2026, 12:00 PM UTC',
    'The owner answers by emailBy tomorrow, 12:00 PM UTCLook into your spam folder, too.',
    'The domain is yoursOnce you agree on a price.',
    'Your Offer',
    '$4,000',
    'Domain',
    'bücher.example',
    'Name',
    'Ada',
    'We will write to',
    'ada@example.com',
    'Something mistyped?',
    'Make another offer',
  ]);
  assert.deepEqual(lines({ transfer, escrow }).slice(6, 8), [
    'Money into escrowOnce you agree on a price.',
    'The domain is yoursTransferred first, paid out after.',
  ]);
  buildOptions.OFFER_MESSAGE = true;
  assert.deepEqual(lines({ transfer }).slice(15, 17), ['Message (optional)', 'With the logo.']);
  buildOptions.LOW_OFFERS = true;
  const querySelector = () => ({ dataset: { price: '$9,000' } });
  Object.assign(document, { querySelector });
  assert.deepEqual(lines({ transfer }, true), [
    'Offer Submitted!',
    en.lowOffer,
    'Your Offer',
    '$4,000',
    'Asking price',
    '$9,000',
  ]);
});
