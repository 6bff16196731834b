import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aboutHtml } from './about-html.ts';

test('paragraphs, lists, links and emphasis are rendered from Markdown', () => {
  const html = aboutHtml('Short, **strong**.\n\n- [History](https://history.example)\n- Two');
  assert.equal(
    html,
    '<p>Short, <strong>strong</strong>.</p>\n<ul>\n<li><a href="https://history.example">History</a></li>\n<li>Two</li>\n</ul>',
  );
});

test('headings are one level below the page’s own', () => {
  assert.equal(aboutHtml('# One\n###### Six'), '<h3>One</h3>\n<h6>Six</h6>');
});

test('HTML and dangerous URLs are escaped', () => {
  const hostile = [
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '[a](javascript:alert(1))',
    '<javascript:alert(1)>',
    '[a](data:text/html,<script>)',
    '&lt;script&gt;',
    '![a](x "<script>")',
    '`<style>`',
    '    <script>',
  ];
  for (const text of hostile) {
    const html = aboutHtml(text);
    assert.doesNotMatch(html, /<(?!\/?(?:p|a|code|pre)[ >])/, html);
    assert.doesNotMatch(html, /(?:href|src)="(?:javascript|data)/i, html);
  }
});

test('a picture becomes a link', () => {
  assert.equal(
    aboutHtml('![Logo](https://x.example/a.png)'),
    '<p>!<a href="https://x.example/a.png">Logo</a></p>',
  );
});
