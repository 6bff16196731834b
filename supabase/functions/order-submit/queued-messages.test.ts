import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MessageSettings, readMessageSettings } from '../_shared/contract/message-settings.ts';
import type { Limit } from '../_shared/rate-limits.ts';
import { queuedMessages } from './queued-messages.ts';

const LIMITS: Limit[] = [{ bucket: 'confirmation.everybody', key: 'ab', max: 200, window: 86_400 }];
const EMAIL = 'Ada@Example.com';

function settingsOf(env: Record<string, string>): MessageSettings {
  const read = readMessageSettings(env);
  assert.equal(read.problem, undefined);
  return read.settings;
}

/** Without the link, which handler.test.ts compares. */
const queued = (settings: MessageSettings, locale?: string) =>
  queuedMessages(settings, EMAIL, locale, LIMITS, 'sb_secret_t').map(({ link: _, ...message }) => message);

test('without settings no message is queued', () => {
  assert.deepEqual(queued(settingsOf({}), 'de'), []);
});

test('each target of the owner gets a message, and the customer only with MAIL_CONFIRM=yes', () => {
  const env = {
    SMTP_URL: 'smtps://mail.example',
    MAIL_FROM: 'offers@example.com',
    MAIL_TO: 'owner@example.com,Second@example.com',
    NOTIFY_URL: 'https://hooks.example/a',
  };
  const toOwner = ['mailto:owner@example.com', 'mailto:Second@example.com', 'https://hooks.example/a'].map(
    (target) => ({ kind: 'offer', target }),
  );
  assert.deepEqual(queued(settingsOf(env), 'de'), toOwner);
  const confirming = settingsOf({ ...env, MAIL_CONFIRM: 'yes' });
  const confirmation = { kind: 'confirmation', target: 'mailto:ada@example.com', limits: LIMITS };
  assert.deepEqual(queued(confirming), [...toOwner, confirmation]);
  assert.deepEqual(queued(confirming, 'de'), [...toOwner, { ...confirmation, locale: 'de' }]);
});
