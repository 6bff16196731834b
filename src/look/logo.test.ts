import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLogo } from './logo.ts';
import { inlineLogo, isInline, logoFile } from './logo-markup.ts';
import type { Logo } from './look.ts';

const INK = { light: '#111111', dark: '#eeeeee' };

test('a logo is written anew from its shapes', () => {
  const text = `<?xml version="1.0" encoding="UTF-8"?>
    <!-- Made by a program --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">
    <svg xmlns="http://www.w3.org/2000/svg" xmlns:i="http://i.example" viewBox="0 0 48 24" class="a" data-x="1" fill="none">
      <title>Mine</title><metadata><i:grid>1</i:grid></metadata><i:view i:x="1"/><g id="unused"></g>
      <path id="p" d="M0 0
        h1" style="fill: #f00; stroke:currentColor;font-size:12px"/>
    </svg>`;
  const logo = logoOf(text);
  assert.deepEqual(logo, {
    viewBox: '0 0 48 24',
    presentation: ' fill="none"',
    content: '<path d="M0 0 h1" fill="#f00" stroke="currentColor"/>',
    ratio: 2,
  });
  assert.equal(
    inlineLogo(logo),
    '<svg class="logo" width="64" height="32" viewBox="0 0 48 24" fill="none" aria-hidden="true">' +
      '<path d="M0 0 h1" fill="#f00" stroke="currentColor"/></svg>',
  );
});

test('parts that a logo refers to get names that no page has', () => {
  const { content } = logoOf(
    svg(`<linearGradient id="offline"><stop offset="0" stop-color="red"/></linearGradient>
      <linearGradient id="b" xlink:href="#offline"/><rect fill="url('#b')" width="1" height="1"/>`),
  );
  assert.equal(
    content,
    '<linearGradient id="logo-1"><stop offset="0" stop-color="red"/></linearGradient>' +
      '<linearGradient id="logo-2" href="#logo-1"/><rect fill="url(#logo-2)" width="1" height="1"/>',
  );
});

test('width and height are enough of a size', () => {
  assert.equal(logoOf('<svg width="30mm" height="10mm"><path d="M0 0"/></svg>').viewBox, '0 0 30 10');
});

const rejected: [what: string, text: string, line: number, message: RegExp][] = [
  [
    'a script',
    svg('\n<script>alert(1)</script>'),
    2,
    /^has <script>.*: remove it, because a logo may run nothing/,
  ],
  [
    'a script of another prefix',
    '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script/></s:svg>',
    1,
    /^has <s:svg>/,
  ],
  [
    'foreign HTML',
    svg('\n\n<foreignObject><iframe/></foreignObject>'),
    3,
    /^has <foreignObject>, which a logo may not/,
  ],
  [
    'an event attribute',
    svg('<path\n d="M0 0"\n onload="alert(1)"/>'),
    3,
    /^has the script onload: remove it/,
  ],
  [
    'an event attribute of the root',
    '<svg viewBox="0 0 1 1" ONLOAD="x()"><path d=""/></svg>',
    1,
    /^has the script ONLOAD/,
  ],
  ['a picture', svg('<image href="https://x.example/a.png"/>'), 1, /^has <image>/],
  ['a link', svg('<a href="javascript:alert(1)"><path d="M0 0"/></a>'), 1, /^has <a>/],
  ['an animation', svg('<animate attributeName="href" to="javascript:alert(1)"/>'), 1, /^has <animate>/],
  ['a copy of another part', svg('<use href="#a"/>'), 1, /^has <use>.*: put the shape itself in its place/],
  ['a filter', svg('<filter id="f"/>'), 1, /^has <filter>/],
  ['a style sheet', svg('<style>@import "x";</style>'), 1, /^has <style>.*presentation attributes/],
  ['a style sheet of its own', '<?xml-stylesheet href="x.css"?><svg/>', 1, /^has <\?xml-stylesheet/],
  [
    'an external reference',
    svg('<linearGradient href="https://x.example/#a"/>'),
    1,
    /^has href="https.*may load nothing/,
  ],
  [
    'a reference of a drawing program',
    svg('<linearGradient xlink:href="data:x"/>'),
    1,
    /^has xlink:href="data:x": a logo may load/,
  ],
  [
    'an external paint',
    svg('<path d="M0 0" fill="url(https://x.example/a)"/>'),
    1,
    /^has fill="url.*may load nothing/,
  ],
  [
    'an external style',
    svg('<path d="M0 0" style="fill:url(//x.example)"/>'),
    1,
    /^has style fill="url.*may load nothing/,
  ],
  ['an escaped style', svg('<path style="fill:u\\72l(//x.example)" d="M0 0"/>'), 1, /^has style fill=/],
  [
    'a background',
    svg('<path style="background:url(x)" d="M0 0"/>'),
    1,
    /^has style background, which a logo may not/,
  ],
  ['a way out of its attribute', svg('<path d="M0 0" fill="&quot;>&lt;script>"/>'), 1, /^has fill=/],
  [
    'an unknown attribute',
    svg('<path d="M0 0" tabindex="0"/>'),
    1,
    /^has tabindex, which a logo may not have/,
  ],
  [
    'a missing part',
    svg('<path d="M0 0" fill="url(#none)"/>'),
    1,
    /^has fill="url\(#none\)", and no part of that id/,
  ],
  [
    'a mask in a mask',
    svg('\n<mask id="a">\n<path d="M0 0" mask="url(#b)"/></mask><mask id="b"/><path d="" mask="url(#a)"/>'),
    3,
    /^has mask="url\(#b\)" in a <mask>: simplify it, because masks inside each other/,
  ],
  [
    'a mask of a mask',
    svg('<mask id="a" style="mask:url(#a)"/><path d="" mask="url(#a)"/>'),
    1,
    /^has mask="url\(#a\)" in a <mask>/,
  ],
  [
    'a clip path in a group of a mask',
    svg('<mask id="a"><g clip-path="url(#b)"/></mask><clipPath id="b"/><path d="" mask="url(#a)"/>'),
    1,
    /^has clip-path="url\(#b\)" in a <mask>/,
  ],
  [
    'a mask in a clip path',
    svg('<clipPath id="a"><path d="" mask="url(#b)"/></clipPath><mask id="b"/>'),
    1,
    /^has mask="url\(#b\)" in a <clipPath>/,
  ],
  [
    'a large mask for each of its many shapes',
    svg(
      `<mask id="m">${'<path d="M0 0h9v9z"/>'.repeat(400)}</mask>${'<path mask="url(#m)" d=""/>'.repeat(400)}`,
    ),
    1,
    /^uses large masks or clip paths too often to be drawn quickly: simplify it/,
  ],
  [
    'gradients that refer to each other',
    svg('\n<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/><path d="" fill="url(#a)"/>'),
    2,
    /^has a part that refers to itself by its id "a": remove that/,
  ],
  [
    'a gradient that refers to itself',
    svg('<linearGradient id="a" href="#a"/>'),
    1,
    /^has a part that refers to itself by its id "a"/,
  ],
  [
    'an id twice',
    svg('<path id="a" d=""/>\n<path id="a" d=""/>'),
    2,
    /^has the id "a" twice: give one of the two another/,
  ],
  [
    'a transform of the whole',
    '<svg viewBox="0 0 1 1"\n transform="scale(500)"><path d="M0 0"/></svg>',
    2,
    /^has transform in its <svg>: put it into a <g>/,
  ],
  [
    'a second picture',
    '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>\n<svg viewBox="0 0 1 1"><path d=""/></svg>',
    2,
    /^has <svg> after the end of its <svg>: keep one picture/,
  ],
  [
    'a name of every object',
    svg('<constructor/>'),
    1,
    /^has <constructor>, which a logo may not have: remove it$/,
  ],
  ['a long name', svg(`<${'a'.repeat(9_999)}/>`), 1, /^has <a{60}…>, which/],
  ['text', svg('<text>Mine</text>'), 1, /^has <text>.*: turn it into paths/],
  ['loose text', svg('Mine'), 1, /^has the text "Mine": turn it into paths/],
  [
    'entities',
    '<!DOCTYPE svg [<!ENTITY a "b">]><svg viewBox="0 0 1 1"><path d="M0 0"/></svg>',
    1,
    /^has a DOCTYPE with entities/,
  ],
  ['an unknown entity', svg('<g>&a;</g>'), 1, /^is not readable as SVG: Invalid character entity/],
  ['an open element', '<svg viewBox="0 0 1 1">\n<g>', 2, /^is not readable as SVG: Unclosed root tag/],
  ['another format', 'GIF89a', 1, /^is not readable as SVG/],
  ['HTML', '<html><body/></html>', 1, /^has <html>, .* as its first element: save the picture as SVG/],
  ['no size', '<svg><path d="M0 0"/></svg>', 1, /^has no size: write viewBox/],
  ['a size of nothing', '<svg viewBox="0 0 0 10"><path d="M0 0"/></svg>', 1, /^has no size/],
  [
    'the form of a line',
    '<svg viewBox="0 0 90 10"><path d="M0 0"/></svg>',
    1,
    /^is 90 wide and 10 high: make it at most 8 times/,
  ],
  ['no shapes', svg('<g/>'), 1, /^is empty: put shapes into it/],
  [
    'a deep tree',
    svg('<g>'.repeat(40) + '</g>'.repeat(40)),
    1,
    /^has more than 30 elements inside each other/,
  ],
];

for (const [what, text, line, message] of rejected) {
  test(`a logo with ${what} is rejected`, () => {
    const read = readLogo(text);
    const [mistake] = 'mistakes' in read ? read.mistakes : [];
    assert.match(mistake?.what ?? '', message);
    assert.equal(mistake?.at?.line, line);
  });
}

test('at most 20 mistakes are reported', () => {
  const read = readLogo(svg('<a/>'.repeat(15_000)));
  assert.equal('mistakes' in read && read.mistakes.length, 20);
});

test('references and ids are read as XML has them', () => {
  const { content } = logoOf(
    svg(`<linearGradient id="a"/><linearGradient id="b&amp;c"/>
      <path d="" fill="url(&#35;a)" stroke="URL(#b&amp;c)"/><path id="d" d=""/>`),
  );
  assert.equal(
    content,
    '<linearGradient id="logo-1"/><linearGradient id="logo-2"/>' +
      '<path d="" fill="url(#logo-1)" stroke="url(#logo-2)"/><path d=""/>',
  );
});

test('the whole of a logo keeps no id and does not hide itself', () => {
  const attributes = 'id="a" display="none" visibility="hidden" style="color:red;display:none" stroke="none"';
  const { presentation } = logoOf(`<svg viewBox="0 0 1 1" ${attributes}><path d="M0 0"/></svg>`);
  assert.equal(presentation, ' stroke="none"');
});

test('a file without anything is rejected', () => {
  assert.deepEqual(readLogo(''), { mistakes: [{ what: 'is empty: put an SVG picture there' }] });
});

test('up to 2 KB are part of the page', () => {
  const ofBytes = (bytes: number) => {
    const empty = inlineLogo(logoOf(svg('<path d="M"/>'))).length;
    return logoOf(svg(`<path d="M${'1'.repeat(bytes - empty)}"/>`));
  };
  assert.equal(inlineLogo(ofBytes(2048)).length, 2048);
  assert.equal(isInline(ofBytes(2048)), true);
  assert.equal(isInline(ofBytes(2049)), false);
});

test('a file of a logo has the colour of the page’s text in each scheme', () => {
  const logo = logoOf(svg('<path d="M0 0" fill="currentColor"/>'));
  const both = logoFile(logo, INK, ['light', 'dark']);
  assert.match(both.path, /^\/_astro\/logo\.[\w-]{8}\.svg$/);
  assert.match(
    both.content,
    /<style>svg\{color:#111111\}@media\(prefers-color-scheme:dark\)\{svg\{color:#eeeeee\}\}</,
  );
  const dark = logoFile(logo, INK, ['dark']);
  assert.match(dark.content, /<style>svg\{color:#eeeeee\}</);
  assert.notEqual(dark.path, both.path);
});

function svg(inside: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10">${inside}</svg>`;
}

function logoOf(text: string): Logo {
  const read = readLogo(text);
  assert.ok('logo' in read, JSON.stringify(read));
  return read.logo;
}
