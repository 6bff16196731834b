import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Bucket, limitOf } from './rate-limits.ts';
import { readSettings } from './settings.ts';

const ROWS: readonly (readonly [what: string, bucket: Bucket, window: string])[] = [
  ['from one IP', 'submit.ip', '10 minutes'],
  ['from one network', 'submit.network', '10 minutes'],
  ['from one network for one domain', 'submit.network-and-domain', 'an hour'],
  ['for one domain', 'submit.domain', 'an hour'],
  ['all offers', 'submit.all', '10 minutes'],
  ['held, from one network', 'held.network', 'a day'],
  ['held, for one domain', 'held.domain', 'a day'],
  ['held, for one domain, of networks that hold one there', 'held.domain-again', 'a day'],
  ['held, all', 'held.all', 'a day'],
  ['confirmations, from one network', 'confirmation.network', 'a day'],
  ['confirmations, all', 'confirmation.all', 'a day'],
  ['other mails to buyers', 'reply.all', 'a day'],
];

test('the guide has the limits of offers as they are', () => {
  const settings = readSettings({ SUPABASE_SECRET_KEY: 'sb_secret_t' });
  const hosted = readFileSync(join(import.meta.dirname, '../../../docs/hosted.md'), 'utf8');
  for (const [what, bucket, window] of ROWS) {
    const { max } = limitOf(settings, bucket, '');
    assert.ok(hosted.includes(`\n| ${what} | ${window} | ${max.toLocaleString('en-US')} |`), what);
  }
});
