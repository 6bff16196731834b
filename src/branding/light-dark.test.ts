/** Browsers without light-dark() get the light colours: Chrome before 123, Safari before 17.5, Firefox before 120. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import postcss, { type Container, type Declaration } from 'postcss';

const PAIR = /light-dark\(([^,()]+), [^,()]+\)/g;

for (const file of globSync(['src/**/*.css', 'admin-app/**/*.css'])) {
  const css = readFileSync(file, 'utf8');
  if (!css.includes('light-dark(')) continue;

  test(`${file} has the light value of each light-dark() for browsers without it`, () => {
    const [pairs, fallbacks] = [new Map<string, string>(), new Map<string, string>()];
    postcss.parse(css).walkDecls((declaration) => {
      const { prop, value } = declaration;
      if (isFallback(declaration)) fallbacks.set(keyOf(declaration), value);
      else if (value.includes('light-dark(')) pairs.set(keyOf(declaration), value.replace(PAIR, '$1'));
      else if (prop === 'color-scheme') pairs.set(keyOf(declaration), 'light');
    });
    assert.deepEqual(fallbacks, pairs);
  });
}

/** Selector and property. */
function keyOf(declaration: Declaration): string {
  const rule = ancestorsOf(declaration).find((one) => one.type === 'rule');
  return `${rule && 'selector' in rule ? rule.selector : ''} ${declaration.prop}`;
}

function isFallback(declaration: Declaration): boolean {
  return ancestorsOf(declaration).some(
    (one) => 'params' in one && one.params === 'not (color: light-dark(red, red))',
  );
}

/** The innermost first. */
function ancestorsOf({ parent }: { parent: unknown }): Container[] {
  const container = parent as (Container & { parent: unknown }) | undefined;
  return container ? [container, ...ancestorsOf(container)] : [];
}
