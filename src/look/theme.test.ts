import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failedPairs } from './contrast.ts';
import { coloursOf, defaultTokens, type Scheme, tokensIn } from './design-tokens.ts';
import { readTheme } from './theme.ts';

const BOTH: Scheme[] = ['light', 'dark'];

test('the colours of the product itself have enough contrast', () => {
  assert.deepEqual(failedPairs(coloursOf(defaultTokens()), BOTH), []);
});

test('a theme without rules changes nothing', () => {
  assert.deepEqual(readTheme('/* none */ :root {}', BOTH), { tokens: {}, mistakes: [] });
});

test('colours are read for both schemes, one after the other, or in a media query', () => {
  const css = `:root { --accent: light-dark(#1B6B3A, #8fdcab); --page: #fff }
    @media (prefers-color-scheme: dark) { :root { --page: #0a0b0c } }`;
  assert.deepEqual(readTheme(css, BOTH), {
    tokens: { accent: 'light-dark(#1b6b3a, #8fdcab)', page: 'light-dark(#ffffff, #0a0b0c)' },
    mistakes: [],
  });
});

test('a media query leaves the colour of the other scheme as it is', () => {
  const css = '@media (prefers-color-scheme: light) { :root { --accent: #1b6b3a } }';
  assert.deepEqual(readTheme(css, BOTH).tokens, { accent: 'light-dark(#1b6b3a, #a2abff)' });
});

test('lengths keep the limit that their token has on narrow screens', () => {
  const { tokens } = readTheme(':root { --space-4: 1.25rem; --radius-m: 0; --text-m: 1.1rem }', BOTH);
  assert.deepEqual(tokens, { 'space-4': 'min(1.25rem, 5vw)', 'radius-m': '0rem', 'text-m': '1.1rem' });
});

test('a list of fonts is read', () => {
  const { tokens } = readTheme(":root { --font: Georgia, 'Times New Roman', serif }", BOTH);
  assert.deepEqual(tokens, { font: '"Georgia", "Times New Roman", serif' });
});

test('names of fonts are put in quotes, and those of the system are not', () => {
  const { tokens } = readTheme(':root { --font: Source Sans 3, -apple-system, System-UI, sans-serif }', BOTH);
  assert.deepEqual(tokens, { font: '"Source Sans 3", -apple-system, system-ui, sans-serif' });
});

test('a comment that names a source map is ignored', () => {
  const comment = '/*# sourceMappingURL=data:application/json,{} */';
  assert.deepEqual(readTheme(`:root { --radius-s: 0 } ${comment}`, BOTH).mistakes, []);
  assert.equal(tokensIn(`:root { --page: #fff; } ${comment}`).get('page'), '#fff');
});

const rejected: [what: string, css: string, line: number, col: number, message: RegExp][] = [
  [
    'an import',
    '\n@import "https://x.example/a.css";',
    2,
    1,
    /^has @import, which a theme may not have: remove/,
  ],
  ['a font file', '@font-face { src: url(x) }', 1, 1, /^has @font-face, which a theme may not have/],
  ['another media query', '@media print { :root { --page: #fff } }', 1, 1, /^has @media/],
  [
    'a media query in another',
    '@media (prefers-color-scheme: dark) {\n @media (prefers-color-scheme: light) { :root {} } }',
    2,
    2,
    /^has @media/,
  ],
  ['another selector', ':root {}\n\n body { --page: #fff }', 3, 2, /^has the selector "body": write :root/],
  ['a nested rule', ':root { a { color: red } }', 1, 9, /^has a rule inside of :root/],
  ['a token outside of a rule', '--page: #fff;', 1, 1, /^stands outside of :root/],
  ['a property', ':root {\n  color: red }', 2, 3, /^"color" is not a design token: write :root/],
  [
    'an unknown token',
    ':root { --pgae: #fff }',
    1,
    9,
    /^"--pgae" is not a token .*: write one of --page, --surface/,
  ],
  [
    'a token that is computed',
    ':root { --shadow: none }',
    1,
    9,
    /^"--shadow" is not a token that a theme may set/,
  ],
  ['a name of every object', ':root { --constructor: 1rem }', 1, 9, /^"--constructor" is not a token/],
  [
    'a URL as colour',
    ':root { --page: url(https://x.example/) }',
    1,
    9,
    /^"--page" is "url.*: write a colour as #rrggbb/,
  ],
  ['a colour by name', ':root { --page: red }', 1, 9, /^"--page" is "red": write a colour as #rrggbb/],
  ['a transparent colour', ':root { --page: #ffffff80 }', 1, 9, /^"--page" is "#ffffff80": write a colour/],
  ['half a pair of colours', ':root { --page: light-dark(#fff) }', 1, 9, /^"--page" is "light-dark/],
  [
    'the end of a style element',
    ':root { --font: "</style><script>", serif }',
    1,
    9,
    /^"--font" is .*: write at most 10 names/,
  ],
  [
    'a list of fonts without a general one',
    ':root { --font: Georgia }',
    1,
    9,
    /^"--font" is "Georgia": .* such as sans-serif/,
  ],
  ...['inherit', 'Default', 'revert-layer'].map((word): [string, string, number, number, RegExp] => [
    `the word ${word} in a list of fonts`,
    `:root { --font: ${word}, serif }`,
    1,
    9,
    /^"--font" is .*: write at most 10 names/,
  ]),
  [
    'a length in pixels',
    ':root { --text-m: 18px }',
    1,
    9,
    /^"--text-m" is "18px": write a length in rem, from 0\.875rem to 1\.25rem/,
  ],
  [
    'a huge length',
    ':root { --space-7: 40rem }',
    1,
    9,
    /^"--space-7" is "40rem": write a length in rem, from/,
  ],
  [
    'a length by function',
    ':root { --radius-s: calc(1rem) }',
    1,
    9,
    /^"--radius-s" is "calc\(1rem\)": write a length/,
  ],
  [
    'a length for one scheme',
    '@media (prefers-color-scheme: dark) { :root { --radius-s: 0 } }',
    1,
    47,
    /is no colour: write it outside/,
  ],
  ['!important', ':root { --page: #fff !important }', 1, 9, /^"--page" has !important: remove that word/],
  ['an open brace', ':root {\n --page: #fff', 1, 1, /^is not readable as CSS: Unclosed block/],
];

for (const [what, css, line, col, message] of rejected) {
  test(`a theme with ${what} is rejected`, () => {
    const [mistake, ...more] = readTheme(css, BOTH).mistakes;
    assert.match(mistake?.what ?? '', message);
    assert.deepEqual(mistake?.at, { line, col });
    assert.deepEqual(more, []);
  });
}

test('a pair with too little contrast is named with both colours, its scheme and the ratio', () => {
  const css = ':root {\n  --on-accent: light-dark(#8888ff, #0d0e33);\n}';
  assert.deepEqual(readTheme(css, BOTH).mistakes[0], {
    what:
      '--on-accent on --accent has too little contrast in light colours: #8888ff on #2a23e0 is 2.90, and at ' +
      'least 4.5 is needed. Change one of the two',
    at: { line: 2, col: 3 },
  });
});

test('a ratio is never rounded up to what is needed', () => {
  // 4.4996 on white.
  const [mistake] = readTheme(':root { --ink-soft: light-dark(#767778, #a4a7b2) }', BOTH).mistakes;
  assert.match(mistake?.what ?? '', / is 4\.\d\d, and at least 4\.5/);
  assert.doesNotMatch(mistake?.what ?? '', /is 4\.5/);
});

test('edges of fields need a contrast of 3', () => {
  const [mistake] = readTheme(':root { --line-strong: light-dark(#aaaaaa, #767a87) }', BOTH).mistakes;
  assert.match(mistake?.what ?? '', /^--line-strong on --page .* at least 3 is needed/);
});

for (const [front, back] of [
  ['ink-soft', 'warning-wash'],
  ['danger', 'warning-wash'],
  ['ink', 'warning-wash'],
  ['ink', 'danger-wash'],
  ['ink-soft', 'danger-wash'],
  ['ink-soft', 'success-wash'],
  ['danger', 'sunken'],
] as const) {
  test(`--${front} needs contrast on --${back}, as the dashboard has it`, () => {
    const colours = coloursOf(defaultTokens());
    const { light = '', dark = '' } = colours.get(back) ?? {};
    colours.set(front, { light, dark });
    const failed = failedPairs(colours, BOTH).filter((pair) => pair.front === front && pair.back === back);
    assert.deepEqual(
      failed.map(({ scheme, ratio }) => [scheme, ratio]),
      [
        ['light', 1],
        ['dark', 1],
      ],
    );
  });
}

test('only the schemes that visitors get need contrast', () => {
  const css = ':root { --page: #ffffff; --surface: #ffffff; --sunken: #f0f0f0 }';
  assert.deepEqual(readTheme(css, ['light']).mistakes, []);
  assert.match(readTheme(css, BOTH).mistakes[0]?.what ?? '', /in dark colours/);
});
