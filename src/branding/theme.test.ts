import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wcagContrast } from 'culori';
import { contrastWarnings } from './contrast.ts';
import { coloursWith, ownAccent, type Scheme, tokensIn } from './design-tokens.ts';
import { readTheme } from './theme.ts';

const BOTH: Scheme[] = ['light', 'dark'];

test('the colours of the product itself have enough contrast', () => {
  assert.deepEqual(contrastWarnings({}, BOTH), []);
  const colours = coloursWith({});
  for (const scheme of BOTH) {
    for (const back of ['page', 'surface']) {
      const [edge = '', behind = ''] = ['line-strong', back].map((name) => colours[name]?.[scheme]);
      assert.ok(wcagContrast(edge, behind) >= 3, `edges of fields on ${back}, ${scheme}`);
    }
  }
});

test('a theme without rules changes nothing', () => {
  assert.deepEqual(readTheme('/* none */ :root {}'), { tokens: {}, problems: [] });
  assert.equal(ownAccent({}), undefined);
});

test('colours are read for both schemes, one after the other, or in a media query', () => {
  const css = `:root { --ink: light-dark(#1B6B3A, rgb(0 0 0)); --page: white }
    @media (prefers-color-scheme: dark) { :root { --page: #0a0b0c } }`;
  assert.deepEqual(readTheme(css), {
    tokens: { ink: 'light-dark(#1b6b3a, #000000)', page: 'light-dark(#ffffff, #0a0b0c)' },
    problems: [],
  });
});

test('a media query leaves the colour of the other scheme as it is', () => {
  const css = '@media (prefers-color-scheme: light) { :root { --danger: #1b6b3a } }';
  assert.deepEqual(readTheme(css).tokens, { danger: 'light-dark(#1b6b3a, #ffb4ab)' });
});

test('--accent alone is a theme: hover, wash and the text on it follow unless they are set', () => {
  const { tokens } = readTheme(':root { --accent: light-dark(#8a3b12, #f3b48b) }');
  assert.deepEqual(tokens, {
    accent: 'light-dark(#8a3b12, #f3b48b)',
    'accent-hover': 'light-dark(#6c3114, #f3c4a4)',
    'accent-wash': 'light-dark(#f3ebe7, #2d292a)',
    'on-accent': 'light-dark(#ffffff, #131318)',
  });
  assert.deepEqual(contrastWarnings(tokens, BOTH), []);
  assert.deepEqual(ownAccent(tokens), {
    light: '#8a3b12',
    onLight: '#ffffff',
    dark: '#f3b48b',
    onDark: '#131318',
  });
  const set = readTheme(':root { --accent-hover: #000; --accent: #8a3b12 }').tokens;
  assert.equal(set['accent-hover'], 'light-dark(#000000, #000000)');
});

test('lengths keep the limit that their token has on narrow screens', () => {
  const { tokens } = readTheme(':root { --space-4: 1.25rem; --radius: 0; --text-m: 1.1rem }');
  assert.deepEqual(tokens, { 'space-4': 'min(1.25rem, 5vw)', radius: '0rem', 'text-m': '1.1rem' });
});

test('a list of fonts is read', () => {
  for (const list of ["Georgia, 'Source Sans 3', serif", '-apple-system, system-ui, sans-serif']) {
    assert.deepEqual(readTheme(`:root { --font: ${list} }`), { tokens: { font: list }, problems: [] });
  }
});

test('a comment that names a source map is ignored', () => {
  const comment = '/*# sourceMappingURL=data:application/json,{} */';
  assert.deepEqual(readTheme(`:root { --radius: 0 } ${comment}`).problems, []);
  assert.equal(tokensIn(`:root { --page: #fff; } ${comment}`).get('page'), '#fff');
});

const rejected: [what: string, css: string, line: number, col: number, message: RegExp][] = [
  ['an import', '\n@import "https://x.example/a.css";', 2, 1, /^has @import: only @media/],
  ['a font file', '@font-face { src: url(x) }', 1, 1, /^has @font-face: only @media/],
  ['another media query', '@media print { :root { --page: #fff } }', 1, 1, /^has @media/],
  [
    'a media query in another',
    '@media (prefers-color-scheme: dark) {\n @media (prefers-color-scheme: light) { :root {} } }',
    2,
    2,
    /^has @media/,
  ],
  ['another selector', ':root {}\n\n body { --page: #fff }', 3, 2, /^has the selector "body": write :root/],
  ['a nested rule', ':root { :root { --page: #fff } }', 1, 9, /^has the selector ":root"/],
  ['a token outside of a rule', '--page: #fff;', 1, 1, /^stands outside of :root/],
  ['a property', ':root {\n  color: red }', 2, 3, /^"color" is no token that a theme may set/],
  [
    'an unknown token',
    ':root { --pgae: #fff }',
    1,
    9,
    /^"--pgae" is no token .*: write one of --page, --surf/,
  ],
  ['a token that is computed', ':root { --shadow: none }', 1, 9, /^"--shadow" is no token/],
  ['a name of every object', ':root { --constructor: 1rem }', 1, 9, /^"--constructor" is no token/],
  [
    'a URL as colour',
    ':root { --page: url(https://x.example/) }',
    1,
    9,
    /^"--page" is "url.*: write a colour/,
  ],
  ['a transparent colour', ':root { --page: #ffffff80 }', 1, 9, /^"--page" is "#ffffff80": write a colour/],
  ['half a pair of colours', ':root { --page: light-dark(#fff) }', 1, 9, /^"--page" is "light-dark/],
  ['three colours', ':root { --page: light-dark(#fff, #000, #111) }', 1, 9, /^"--page" is "light-dark/],
  ['the end of a style element', ':root { --font: "</style><script>", serif }', 1, 9, /^"--font" is /],
  ['a font with a digit without quotes', ':root { --font: Source Sans 3, serif }', 1, 9, /quotes$/],
  ['a comma too many', ':root { --font: Georgia, }', 1, 9, /^"--font" is "Georgia,"/],
  ['a length in pixels', ':root { --text-m: 18px }', 1, 9, /^"--text-m" is "18px": write a length in rem/],
  ['a length by function', ':root { --radius: calc(1rem) }', 1, 9, /^"--radius" is "calc\(1rem\)"/],
  [
    'a length for one scheme',
    '@media (prefers-color-scheme: dark) { :root { --radius: 0 } }',
    1,
    47,
    /is no colour: write it outside/,
  ],
  ['an open brace', ':root {\n --page: #fff', 1, 1, /^is not readable as CSS: Unclosed block/],
];

for (const [what, css, line, col, message] of rejected) {
  test(`a theme with ${what} is rejected`, () => {
    const [problem] = readTheme(css).problems;
    assert.match(problem?.what ?? '', message);
    assert.deepEqual(problem?.at, { line, col });
  });
}

test('a pair with too little contrast is named with both colours, its scheme and the ratio', () => {
  const { tokens, problems } = readTheme(':root { --on-accent: light-dark(#8888ff, #0d0e33) }');
  assert.deepEqual(problems, []);
  assert.equal(
    contrastWarnings(tokens, BOTH)[0],
    '--on-accent (#8888ff) on --accent (#2a23e0) has a contrast of 2.90 in light colours: text needs 4.5.',
  );
});

test('a ratio is never rounded up to what is needed', () => {
  // 4.4996 on white.
  const { tokens } = readTheme(':root { --ink-soft: light-dark(#767778, #a4a7b2) }');
  const [warning = ''] = contrastWarnings(tokens, BOTH);
  assert.match(warning, /has a contrast of 4\.[0-4]\d in/);
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
    const { light = '', dark = '' } = coloursWith({})[back] ?? {};
    const warnings = contrastWarnings({ [front]: `light-dark(${light}, ${dark})` }, BOTH);
    const of = `--${front} (${light}) on --${back} (${light}) has a contrast of 1.00 in light colours`;
    assert.ok(
      warnings.some((line) => line.startsWith(of)),
      warnings.join('\n'),
    );
  });
}

test('only the schemes that visitors get need contrast', () => {
  const { tokens } = readTheme(':root { --page: #ffffff; --surface: #ffffff; --sunken: #f0f0f0 }');
  assert.deepEqual(contrastWarnings(tokens, ['light']), []);
  assert.match(contrastWarnings(tokens, BOTH)[0] ?? '', /in dark colours/);
});
