/** Browsers without light-dark() get the colours of their scheme: Chrome before 123, Safari before 17.5, Firefox before 120. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

test('light-dark() stands only in the design tokens, which reach pages without it', () => {
  const files = globSync(['src/**/*.css', 'admin-app/**/*.css']).filter((file) =>
    readFileSync(file, 'utf8').includes('light-dark('),
  );
  assert.deepEqual(files.toSorted(), ['src/styles/admin-tokens.css', 'src/styles/tokens.css']);
});
