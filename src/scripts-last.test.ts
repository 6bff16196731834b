import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptsLast } from './scripts-last.ts';

test('inlined scripts come last, in their order; nothing else moves', () => {
  assert.equal(
    scriptsLast(
      '<body><h1>a</h1><style>b{}</style><script>1</script><script>2</script><p>c</p></body></html>',
    ),
    '<body><h1>a</h1><style>b{}</style><p>c</p><script>1</script><script>2</script></body></html>',
  );
});

test('scripts with attributes stay: they are files, or no scripts', () => {
  const html =
    '<body><script type="module" src="/a.js"></script><script type="application/ld+json">{}</script></body>';
  assert.equal(scriptsLast(html), html);
});

test('what looks like a script in an attribute or a comment is left alone', () => {
  const html =
    '<meta content="a <script>1</script>"><body><!-- it\'s <script>2</script> --><p title=\'"<script>3</script>\'>b</p></body>';
  assert.equal(scriptsLast(html), html);
});

test('what is no whole page stays as it is', () => {
  assert.equal(scriptsLast('<script>1</script><p>part</p>'), '<script>1</script><p>part</p>');
});
