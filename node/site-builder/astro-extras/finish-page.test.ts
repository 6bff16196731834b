import assert from 'node:assert/strict';
import { test } from 'node:test';
import islandRuntime from 'astro/runtime/server/astro-island.prebuilt.js';
import { finishPage } from './finish-page.ts';

const finished = (html: string) => finishPage(html).html;

test('inlined scripts come last, in their order; nothing else moves', () => {
  assert.equal(
    finished('<body><h1>a</h1><style>b{}</style><script>1</script><script>2</script><p>c</p></body></html>'),
    '<body><h1>a</h1><style>b{}</style><p>c</p><script>1</script><script>2</script></body></html>',
  );
});

const page = (...directives: string[]) =>
  `<body>${directives.map((name) => `<astro-island client="${name}"></astro-island>`).join('')}<script>${islandRuntime}</script></body>`;

test('Astro’s element for islands is left out where all of them wait for the visitor, and nowhere else', () => {
  const { html, inlined } = finishPage(page('contact', 'contact'));
  assert.equal(html.includes('<script>'), false);
  assert.deepEqual(inlined.scripts, []);
  for (const directives of [['contact', 'load'], ['only']]) {
    const { html, inlined } = finishPage(page(...directives));
    assert.equal(html, page(...directives));
    assert.equal(inlined.scripts.length, 1);
  }
});

test('scripts with attributes stay: they are files, or no scripts', () => {
  const html =
    '<body><script type="module" src="/a.js"></script><script type="application/ld+json">{}</script></body>';
  assert.equal(finished(html), html);
});

test('what looks like a script in an attribute or a comment is left alone', () => {
  const html =
    '<meta content="a <script>1</script>"><body><!-- it\'s <script>2</script> --><p title=\'"<script>3</script>\'>b</p></body>';
  assert.equal(finished(html), html);
});

test('what is no whole page stays as it is', () => {
  assert.equal(finished('<script>1</script><p>part</p>'), '<script>1</script><p>part</p>');
});
