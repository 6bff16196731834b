import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { withShortNames } from './short-token-names.ts';

const TOKENS =
  ':root {\n  --ink: #000;\n  --ink-soft: #555;\n}\n@media print {\n  :root {\n    --ink: #111;\n  }\n}\n';

test('tokens get unique short names wherever they are set or used', () => {
  assert.equal(
    withShortNames(TOKENS, TOKENS),
    ':root {\n  --0: #000;\n  --1: #555;\n}\n@media print {\n  :root {\n    --0: #111;\n  }\n}\n',
  );
  assert.equal(
    withShortNames('a{color:var(--ink-soft,var(--ink));margin:calc(-1*var( --ink ))}', TOKENS),
    'a{color:var(--1,var(--0));margin:calc(-1*var( --0 ))}',
  );
});

test('other custom properties keep their names', () => {
  const css = '.card--ink,.x{--tint:1;--ink-s:2;margin:var(--tint)}';
  assert.equal(withShortNames(css, TOKENS), css);
});

test('no style sheet uses a short name itself', () => {
  const files = globSync('{src,admin-app}/**/*.css');
  assert.ok(files.length > 4, String(files));
  for (const file of files) {
    assert.doesNotMatch(readFileSync(file, 'utf8'), /(?<![\w-])--[0-9a-z]{1,2}(?![\w-])/, file);
  }
});
