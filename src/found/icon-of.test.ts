import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII } from 'node:url';
import { iconOf } from './icon-of.ts';

test('a domain’s icon has its first letter, an internationalised name’s too', () => {
  assert.match(iconOf('lap.app'), />L<\/text>/);
  assert.match(iconOf('4u.example'), />4<\/text>/);
  assert.ok(iconOf('xn--bcher-kva.example').includes('>B</text>'));
  assert.ok(iconOf(domainToASCII('商店.example')).includes(`>${encodeURIComponent('商')}</text>`));
  assert.match(iconOf(), /<circle/);
});

test('a name has always the same colour, and different names different ones', () => {
  assert.equal(iconOf('lap.app'), iconOf('lap.app'));
  const names = ['lap.app', 'sample.app', 'site.example', 'host.example'];
  assert.equal(new Set(names.map(hueOf)).size, names.length);
});

test('white can be read on every colour', () => {
  for (let hue = 0; hue < 360; hue += 1) assert.ok(1.05 / (luminance(hue) + 0.05) >= 4.5, `hue ${hue}`);
});

function hueOf(name: string): string | undefined {
  return /hsl\((\d+),60%25,30%25\)/.exec(iconOf(name))?.[1];
}

/** WCAG’s relative luminance of a hue at 60 % saturation and 30 % lightness. */
function luminance(hue: number): number {
  const channel = (offset: number) => {
    const at = (offset + hue / 30) % 12;
    const value = 0.3 - 0.18 * Math.max(-1, Math.min(at - 3, 9 - at, 1));
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(0) + 0.7152 * channel(8) + 0.0722 * channel(4);
}
