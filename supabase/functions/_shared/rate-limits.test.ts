import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MAX_STEP } from './contract/bot-check.ts';
import { type Bucket, limitOf } from './rate-limits.ts';
import { readSettings } from './settings.ts';

const DOCS = join(import.meta.dirname, '../../../docs');
const ROWS: readonly (readonly [what: string, bucket: Bucket, window: string])[] = [
  ['all offers', 'submit.everybody', '10 minutes'],
  ['for one domain', 'submit.domain', 'an hour'],
  ['from one IP', 'submit.address', '10 minutes'],
  ['from one network (/24, /56)', 'submit.network-24', '10 minutes'],
  ['from one network (/48)', 'submit.network-48', '10 minutes'],
];

test('the guide has the limits of offers as they are', () => {
  const settings = readSettings({ SUPABASE_SECRET_KEY: 'sb_secret_t' });
  const hosted = readFileSync(join(DOCS, 'hosted.md'), 'utf8');
  for (const [what, bucket, window] of ROWS) {
    const { max } = limitOf(settings, bucket, '');
    const hardest = (max * (MAX_STEP + 1)).toLocaleString('en-US');
    assert.ok(hosted.includes(`\n| ${what} | ${window} | ${max} | ${hardest} | ${max} |\n`), what);
  }
  const { max: ofNetwork } = limitOf(settings, 'confirmation.network', '');
  const { max: ofAll } = limitOf(settings, 'confirmation.everybody', '');
  assert.match(
    hosted,
    new RegExp(`${ofNetwork} a\\sday for the sender's network .* and ${ofAll} a day in all`),
  );
  const everybody = limitOf(settings, 'submit.everybody', '').max;
  const scale = readFileSync(join(DOCS, 'scale.md'), 'utf8').replaceAll(/\s+/g, ' ');
  for (const fact of [
    `\`submit.everybody\` counts ${everybody} offers in ten minutes`,
    `after ${(everybody * (MAX_STEP + 1)).toLocaleString('en-US')} `,
    `with Turnstile, after ${everybody}`,
  ]) {
    assert.ok(scale.includes(fact), fact);
  }
});
