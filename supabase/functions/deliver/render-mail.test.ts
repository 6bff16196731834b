import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MailContent, renderMail } from './render-mail.ts';

const CONTENT: MailContent = { language: 'en', subject: 'A & B', headline: 'A & B', blocks: [] };

test('a mail has the same parts in text and in HTML, and escapes all of them', () => {
  const { subject, text, html } = renderMail(
    {
      ...CONTENT,
      blocks: [
        { kind: 'paragraph', text: 'Thanks.', strong: 'Soon <b>.' },
        { kind: 'amount', label: 'Amount', value: '$1 <i>' },
        {
          kind: 'facts',
          rows: [
            { label: 'Name', value: 'C\u202e <D>', isLarge: true },
            { label: 'Page', value: 'lap.app', url: 'https://lap.app/?"' },
            { label: 'Email', value: 'c@c.example', url: 'mailto:c@c.example' },
          ],
          quote: { label: 'Message', lines: ['first', '> second'] },
        },
        { kind: 'quote', label: 'Note', lines: ['<third>'] },
        { kind: 'steps', title: 'Next', steps: [{ text: 'Run', code: 'a && b' }, { text: 'Wait.' }] },
        { kind: 'share', text: '80 % of <it>', part: 0.8, whole: { value: '$9 <j>' } },
        {
          kind: 'from',
          people: [{ value: '<F>' }, { value: 'f@f.example', url: 'mailto:f@f.example' }],
        },
        {
          kind: 'button',
          text: 'Open',
          url: 'https://lap.app/#t',
          reply: { name: '<F>', url: 'mailto:f@f.example' },
        },
        { kind: 'paragraph', text: 'Small.', isSoft: true },
        { kind: 'paragraph', text: 'Pay by', strong: 'May', isLarge: true },
      ],
      code: { text: 'Open {page}, type {code}', page: 'https://lap.app/offer/', code: 'A<B' },
      why: 'Because.',
    },
    { owner: 'E', contact: 'e@e.example', links: [{ text: 'Imprint', url: 'https://e.example' }] },
  );
  assert.equal(subject, 'A & B');
  assert.equal(
    text,
    `A & B.

Thanks. Soon <b>.

Amount: $1 <i>

Name: C\u202e <D>
Page: https://lap.app/?"
Email: c@c.example

Message:
> first
> > second

Note:
> <third>

Next:
1. Run a && b
2. Wait.

80 % of <it> ($9 <j>).

From: <F>, f@f.example

Open:
https://lap.app/#t

Small.

Pay by May

Open https://lap.app/offer/, type A<B

E
e@e.example
Imprint: https://e.example

Because.
`,
  );
  assert.match(html, /<title>A &amp; B<\/title>/);
  assert.equal(
    html.slice(html.indexOf('<body>')),
    `<body>
<main>
<p class="brand">E</p>
<h1>A &amp; B</h1>
<p>Thanks. <b>Soon &lt;b&gt;.</b></p>
<p class="amount"><b><bdi>$1 &lt;i&gt;</bdi></b></p>
<table cellpadding="4">
<tr><th align="left" valign="top">Name</th><td class="large"><bdi>C &lt;D&gt;</bdi></td></tr>
<tr><th align="left" valign="top">Page</th><td><a href="https://lap.app/?&quot;"><bdi>lap.app</bdi></a></td></tr>
<tr><th align="left" valign="top">Email</th><td><a href="mailto:c@c.example"><bdi>c@c.example</bdi></a></td></tr>
<tr><th align="left" valign="top">Message</th><td><bdi>first</bdi><br><bdi>&gt; second</bdi></td></tr>
</table>
<blockquote><bdi>&lt;third&gt;</bdi></blockquote>
<h2>Next</h2>
<ol>
<li>Run <code>a &amp;&amp; b</code></li>
<li>Wait.</li>
</ol>
<table class="bar" role="presentation"><tr><td width="80%"></td><td></td></tr></table>
<table class="share" role="presentation"><tr><td><b>80 % of &lt;it&gt;</b></td><td align="right"><bdi>$9 &lt;j&gt;</bdi></td></tr></table>
<p class="from"><bdi>&lt;F&gt;</bdi>, <a href="mailto:f@f.example"><bdi>f@f.example</bdi></a></p>
<p class="button"><a href="https://lap.app/#t">Open</a> <a class="second" href="mailto:f@f.example">Reply to <bdi>&lt;F&gt;</bdi></a></p>
<p class="soft">Small.</p>
<p class="large">Pay by <b>May</b></p>
<div class="foot">
<p>Open <a href="https://lap.app/offer/">lap.app/offer</a>, type <code translate="no">A&lt;B</code></p>
<p><bdi>E</bdi> · <a href="mailto:e@e.example"><bdi>e@e.example</bdi></a> · <a href="https://e.example"><bdi>Imprint</bdi></a></p>
<p>Because.</p>
</div>
</main>
</body>
</html>
`,
  );
});

test('text has an email or a telephone number once, without its scheme', () => {
  const lineOf = (text: string, url: string) =>
    renderMail({ ...CONTENT, why: 'Because.' }, { links: [{ text, url }] }).text.split('\n\n')[1];
  assert.equal(lineOf('+1 555 0100', 'tel:+1-555-0100'), '+1 555 0100');
  assert.equal(lineOf('Call +1 (555) 0100', 'tel:+15550100'), 'Call +1 (555) 0100');
  assert.equal(lineOf('Call us', 'tel:+1-555-0100'), '+1-555-0100');
  assert.equal(lineOf('Ada@ada.example', 'mailto:ada@ada.example?subject=Names'), 'Ada@ada.example');
  assert.equal(
    lineOf('Write to us', 'mailto:ada%2Bnames@ada.example?subject=Names'),
    'ada+names@ada.example',
  );
  assert.equal(lineOf('Write to us', 'mailto:%E0%A4%A'), '%E0%A4%A');
  assert.equal(lineOf('Imprint', 'https://ada.example'), 'Imprint: https://ada.example');
});

test('a long amount is not set in large figures', () => {
  const htmlOf = (value: string) =>
    renderMail({ ...CONTENT, blocks: [{ kind: 'amount', label: 'Amount', value }] }, {}).html;
  assert.match(htmlOf('$1,234,567.89'), /<p class="amount">/);
  assert.match(htmlOf('$14,000, half now and half in May'), /<p class="large">/);
});
