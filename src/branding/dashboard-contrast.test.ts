import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { formatHex, interpolate, wcagContrast } from 'culori';
import { type Colour, coloursWith, type Scheme } from './design-tokens.ts';

const css = readFileSync('admin-app/components/status.css', 'utf8');
const tokens = coloursWith({});
/** Of each status, the colour of its word and the one behind it. */
const BADGES = [...css.matchAll(/^ {4}--tint: (.+);\s+--wash: (.+);/gm)].map(([, tint = '', wash = '']) => [
  tint,
  wash,
]);
const SCHEMES: Scheme[] = ['light', 'dark'];

test('the word of each status has contrast on its badge, and the arrow beside it while it is hovered', () => {
  const [, percent] =
    /color-mix\(in srgb, var\(--wash, var\(--sunken\)\), var\(--tint\) (\d+)%\)/.exec(css) ?? [];
  assert.equal(BADGES.length, 4);
  for (const [tint = '', wash = ''] of [...BADGES, ['var(--ink-soft)', 'var(--sunken)']]) {
    for (const scheme of SCHEMES) {
      const [front, back] = [colourOf(tint)[scheme], colourOf(wash)[scheme]];
      const hovered = formatHex(interpolate([back, front], 'rgb')(Number(percent) / 100)) ?? '';
      for (const behind of [back, hovered]) {
        assert.ok(
          wcagContrast(front, behind) >= 4.5,
          `${tint} on ${behind}, ${scheme}: ${wcagContrast(front, behind)}`,
        );
      }
    }
  }
});

function colourOf(value: string): Colour {
  const [, name = ''] = /^var\(--([\w-]+)\)$/.exec(value) ?? [];
  const colour = tokens[name] ?? coloursWith({ own: value }).own;
  assert.ok(colour, value);
  return colour;
}
