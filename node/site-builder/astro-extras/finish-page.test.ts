import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finishPage } from './finish-page.ts';

const finished = (html: string) => finishPage(html).html;

test('inlined scripts are moved to the end, in their order, and nothing else', () => {
  assert.equal(
    finished('<body><h1>a</h1><style>b{}</style><script>1</script><script>2</script><p>c</p></body></html>'),
    '<body><h1>a</h1><style>b{}</style><p>c</p><script>1</script><script>2</script></body></html>',
  );
});

test('all styles are in the place of the first, in their order, with one hash', () => {
  const { html, inlined } = finishPage(
    '<head><meta content="</head><style>x{}</style>"><style>a{}</style><link></head><body><style>b{}</style><p>c</p><style>d{}</style></body>',
  );
  const styles = '<style>a{}b{}d{}</style>';
  assert.equal(
    html,
    `<head><meta content="</head><style>x{}</style>">${styles}<link></head><body><p>c</p></body>`,
  );
  assert.deepEqual(inlined, { scripts: [], styles: finishPage(`${styles}<body></body>`).inlined.styles });
});

test('scripts with attributes stay in place', () => {
  const html =
    '<body><script type="module" src="/a.js"></script><script type="application/ld+json">{}</script></body>';
  assert.equal(finished(html), html);
});

test('script tags in attributes and comments are left alone', () => {
  const html =
    '<meta content="a <script>1</script>"><body><!-- it\'s <script>2</script> --><p title=\'"<script>3</script>\'>b</p></body>';
  assert.equal(finished(html), html);
});

test('a fragment of a page is left unchanged', () => {
  assert.equal(finished('<script>1</script><p>part</p>'), '<script>1</script><p>part</p>');
});
