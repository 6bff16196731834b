/** The check of imports with the table of docs/architecture.md, in a folder of files that it must report. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { newFolder, runTool } from '../tests/support/terminal.ts';

const SCRIPT = join(import.meta.dirname, 'check-imports.ts');
const NOT_ALLOWED = ', which the table in docs/architecture.md does not allow.';
const NEEDS_NODE = ', which does not run without Node.';

/** Files and what each imports, by what the rule guards; each exception of the table forbids one of them. */
const FORBIDDEN: readonly (readonly [from: string, to: string, message: string])[] = [
  // What a browser or Cloudflare runs.
  ['src/stores/a.ts', 'node:fs', NEEDS_NODE],
  ['supabase/functions/_shared/contract/a.ts', 'fs', NEEDS_NODE],
  ['src/serving/a.ts', 'undici', NEEDS_NODE],
  ['worker/a.ts', 'node:path', NEEDS_NODE],
  ['src/islands/a.tsx', 'src/catalogue/x.ts', NOT_ALLOWED],
  ['src/i18n/a.ts', 'config/x.ts', NOT_ALLOWED],
  ['worker/b.ts', 'server/http/x.ts', NOT_ALLOWED],
  ['worker/c.ts', 'src/stores/x.ts', NOT_ALLOWED],
  ['src/serving/b.ts', 'src/api/x.ts', NOT_ALLOWED],
  // URLs and keys are in `api` alone.
  ['src/islands/b.tsx', 'src/api/x.ts', NOT_ALLOWED],
  ['src/page-scripts/a.ts', 'src/api/x.ts', NOT_ALLOWED],
  ['src/components/a.astro', 'src/api/x.ts', NOT_ALLOWED],
  ['src/pages/a.astro', 'src/api/x.ts', NOT_ALLOWED],
  ['admin-app/components/a.tsx', 'admin-app/api/x.ts', NOT_ALLOWED],
  ['admin-app/pages/a.tsx', 'admin-app/api/x.ts', NOT_ALLOWED],
  ['admin-app/pages/b.tsx', 'src/api/x.ts', NOT_ALLOWED],
  ['admin-app/stores/a.ts', 'src/stores/x.ts', NOT_ALLOWED],
  ['admin-app/stores/b.ts', 'admin-app/components/x.ts', NOT_ALLOWED],
  ['src/islands/c.tsx', 'admin-app/api/x.ts', NOT_ALLOWED],
  ['src/components/b.astro', 'admin-app/x.ts', NOT_ALLOWED],
  ['src/pages/b.astro', 'admin-app/stores/x.ts', NOT_ALLOWED],
  ['src/stores/b.ts', 'src/i18n/x.ts', NOT_ALLOWED],
  ['src/page-scripts/b.ts', 'src/i18n/x.ts', NOT_ALLOWED],
  ['admin-app/api/a.ts', 'src/stores/x.ts', NOT_ALLOWED],
  ['src/layouts/a.astro', 'src/stores/x.ts', NOT_ALLOWED],
  ['src/pages/d.astro', 'src/page-scripts/x.ts', NOT_ALLOWED],
  // Functions run on a hosted project, beside none of the rest.
  ['supabase/functions/negotiation/a.ts', 'src/domain-name/x.ts', NOT_ALLOWED],
  ['supabase/functions/negotiation/b.ts', 'supabase/functions/order-submit/x.ts', NOT_ALLOWED],
  ['supabase/functions/_shared/a.ts', 'config/x.ts', NOT_ALLOWED],
  ['supabase/functions/_shared/contract/b.ts', 'supabase/functions/_shared/x.ts', NOT_ALLOWED],
  // The site knows neither settings nor the server; the server serves a build, and knows no sources.
  ['src/pages/c.astro', 'config/x.ts', NOT_ALLOWED],
  ['src/catalogue/a.ts', 'process/x.ts', NOT_ALLOWED],
  ['process/a.ts', 'config/x.ts', NOT_ALLOWED],
  ['config/a.ts', 'src/i18n/x.ts', NOT_ALLOWED],
  ['site-builder/a.ts', 'server/pages/x.ts', NOT_ALLOWED],
  ['site-builder/b.ts', 'server/backend-client/x.ts', NOT_ALLOWED],
  ['site-builder/built-site/a.ts', 'supabase/functions/_shared/x.ts', NOT_ALLOWED],
  ['server/pages/a.ts', 'src/catalogue/x.ts', NOT_ALLOWED],
  ['server/http/a.ts', 'site-builder/x.ts', NOT_ALLOWED],
  // The server and its project meet in server/backend-requests.
  ['server/http/b.ts', 'server/embedded/x.ts', NOT_ALLOWED],
  ['server/http/c.ts', 'server/backend-client/x.ts', NOT_ALLOWED],
  ['server/http/d.ts', 'supabase/functions/_shared/x.ts', NOT_ALLOWED],
  ['server/embedded/a.ts', 'server/http/x.ts', NOT_ALLOWED],
  ['server/embedded/b.ts', 'src/catalogue/x.ts', NOT_ALLOWED],
  ['server/embedded/c.ts', 'server/catalogue-publication/x.ts', NOT_ALLOWED],
  ['server/catalogue-edits/a.ts', 'server/embedded/x.ts', NOT_ALLOWED],
  ['server/embedded/workarounds/a.ts', 'server/backend-client/x.ts', NOT_ALLOWED],
  ['server/embedded/workarounds/b.ts', 'process/x.ts', NOT_ALLOWED],
  ['server/embedded/workarounds/c.ts', 'config/x.ts', NOT_ALLOWED],
  ['server/embedded/workarounds/d.ts', 'supabase/functions/deliver/x.ts', NOT_ALLOWED],
  ['server/start/a.ts', 'supabase/functions/negotiation/x.ts', NOT_ALLOWED],
  // Commands, nothing of which others import, reach the product over the project.
  ['server/start/b.ts', 'commands/shared/x.ts', NOT_ALLOWED],
  ['server/names/a.ts', 'server/http/x.ts', NOT_ALLOWED],
  ['commands/hosted/a.ts', 'server/http/x.ts', NOT_ALLOWED],
  ['commands/hosted/b.ts', 'commands/admin/x.ts', NOT_ALLOWED],
  ['commands/hosted/c.ts', 'server/pages/x.ts', NOT_ALLOWED],
  ['commands/hosted/d.ts', 'server/start/x.ts', NOT_ALLOWED],
  ['commands/hosted/e.ts', 'server/catalogue-publication/x.ts', NOT_ALLOWED],
  ['commands/hosted/f.ts', 'supabase/functions/_shared/x.ts', NOT_ALLOWED],
  ['commands/hosted/outside-check/a.ts', 'config/x.ts', NOT_ALLOWED],
  ['commands/hosted/outside-check/b.ts', 'server/embedded/x.ts', NOT_ALLOWED],
  ['commands/hosted/outside-check/c.ts', 'server/start/x.ts', NOT_ALLOWED],
  ['commands/catalogue/a.ts', 'server/embedded/x.ts', NOT_ALLOWED],
  ['commands/catalogue/b.ts', 'site-builder/x.ts', NOT_ALLOWED],
  ['commands/catalogue/c.ts', 'supabase/functions/deliver/x.ts', NOT_ALLOWED],
  ['commands/shared/a.ts', 'src/catalogue/x.ts', NOT_ALLOWED],
  ['commands/a.ts', 'tool.mjs', NOT_ALLOWED],
  ['server/http/e.ts', 'worker/x.ts', NOT_ALLOWED],
  // Tests.
  ['server/http/f.ts', 'tests/support/x.ts', NOT_ALLOWED],
  ['server/http/g.ts', 'server/http/x.fixture.ts', ', which only tests may.'],
];

test('imports that a layer may not have are reported, each with its file', () => {
  const files = FORBIDDEN.map(([from, to]): [string, string] => {
    const isFile = !to.startsWith('node:') && /[/.]/.test(to);
    const name = isFile ? relative(dirname(from), to) : to;
    return [from, `import '${name.startsWith('.') || !isFile ? name : `./${name}`}';\n`];
  });
  assert.deepEqual(
    problemsOf(files).sort(),
    FORBIDDEN.map(([from, to, message]) => `${from} imports ${to}${message}`).sort(),
  );
});

test('a file outside of all layers, a circle, and a URL as a path are reported', () => {
  const [url, outside, circle, ...others] = problemsOf([
    ['server/x.ts', "import './http/a.ts';\n"],
    ['server/http/a.ts', "import './b.ts';\n"],
    ['server/http/b.ts', `await import('./a.ts');\nnew URL('x', import.${'meta'}.url).pathname;\n`],
  ]);
  assert.equal(url, 'server/http/b.ts uses a module’s URL, which is no path: use import.meta.dirname.');
  assert.equal(outside, 'server/x.ts is in a folder that the table of docs/architecture.md does not name.');
  assert.match(
    circle ?? '',
    /^Files import each other in a circle: server\/http\/[ab]\.ts → .* Move what both use to a third\.$/,
  );
  assert.deepEqual(others, []);
});

/** What the check reports of files with these texts. */
function problemsOf(files: readonly (readonly [file: string, text: string])[]): string[] {
  const folder = newFolder();
  mkdirSync(join(folder, 'docs'));
  cpSync('docs/architecture.md', join(folder, 'docs/architecture.md'));
  for (const [file, text] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), file.endsWith('.astro') ? `---\n${text}---\n` : text);
  }
  const { code, text } = runTool(SCRIPT, [], {}, folder);
  assert.equal(code, 1);
  return text.split('\n');
}
