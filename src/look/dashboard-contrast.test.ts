import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { contrastOf } from './contrast.ts';
import { type Colour, coloursOf, defaultTokens, type Scheme } from './design-tokens.ts';

const css = readFileSync('admin-app/components/status.css', 'utf8');
const tokens = coloursOf(defaultTokens());
/** Of each status, the colour of its word and the one behind it. */
const BADGES = [...css.matchAll(/--tint: (.+);\s+--wash: (.+);/g)].map(([, tint = '', wash = '']) => [
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
      const hovered = mixed(back, front, Number(percent) / 100);
      for (const behind of [back, hovered]) {
        assert.ok(
          contrastOf(front, behind) >= 4.5,
          `${tint} on ${behind}, ${scheme}: ${contrastOf(front, behind)}`,
        );
      }
    }
  }
});

function colourOf(value: string): Colour {
  const [, name = ''] = /^var\(--([\w-]+)\)$/.exec(value) ?? [];
  const colour = tokens.get(name) ?? coloursOf(new Map([['', value]])).get('');
  assert.ok(colour, value);
  return colour;
}

/** As `color-mix(in srgb, …)`, with this share of the second colour. */
function mixed(one: string, other: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [a = 0, b = 0] = [one, other].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16));
    return Math.round(a * (1 - share) + b * share)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${parts.join('')}`;
}
