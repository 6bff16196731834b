import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { wcagContrast } from 'culori';
import { type Colour, coloursWith, type Scheme } from './design-tokens.ts';

const css = readFileSync('admin-app/components/status.css', 'utf8');
const tokens = coloursWith({});
/** Of each status, the colour of its word and the one behind it. */
const BADGES = [...css.matchAll(/^ {4}--tint: (.+);\s+--wash: (.+);/gm)].map(([, tint = '', wash = '']) => [
  tint,
  wash,
]);
const SCHEMES: Scheme[] = ['light', 'dark'];

test('the word of each status has contrast on its badge', () => {
  assert.equal(BADGES.length, 4);
  for (const [tint = '', wash = ''] of [...BADGES, ['var(--ink-soft)', 'var(--sunken)']]) {
    for (const scheme of SCHEMES) {
      const [front, back] = [colourOf(tint)[scheme], colourOf(wash)[scheme]];
      const contrast = wcagContrast(front, back);
      assert.ok(contrast >= 4.5, `${tint} on ${back}, ${scheme}: ${contrast}`);
    }
  }
});

function colourOf(value: string): Colour {
  const [, name = ''] = /^var\(--([\w-]+)\)$/.exec(value) ?? [];
  const colour = tokens[name] ?? coloursWith({ own: value }).own;
  assert.ok(colour, value);
  return colour;
}
