import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOfHtml } from './text-of-html.ts';

const CASES: [html: string, text: string][] = [
  ['<p>Transfer <strong>$4,100</strong>\nto me.</p>\n<p>Thanks</p>', 'Transfer $4,100 to me.\nThanks'],
  ['<ul>\n<li>IBAN: DE00</li>\n<li>BIC: X</li>\n</ul>', 'IBAN: DE00\nBIC: X'],
  ['<p>One<br>two<br />three</p>', 'One\ntwo\nthree'],
  [
    '<p>a &lt;b&gt; &amp;amp; &quot;c&quot; &#39;d&#x27; &nbsp;e &unknown;</p>',
    `a <b> &amp; "c" 'd'  e &unknown;`,
  ],
  ['<p><a href="https://a.example/?a=1&amp;b=2">here</a></p>', 'here'],
  ['&#9999999;', '\ufffd'],
  ['', ''],
];
for (const [html, text] of CASES)
  test(`the text of ${html || 'nothing'} is read`, () => {
    assert.equal(textOfHtml(html), text);
  });
