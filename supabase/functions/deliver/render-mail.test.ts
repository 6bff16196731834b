import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMail } from './render-mail.ts';

test('a mail has the same parts in text and in HTML, and escapes all of them', () => {
  const { subject, text, html } = renderMail(
    {
      language: 'en',
      subject: 'A & B',
      headline: 'A & B',
      blocks: [
        { text: 'Thanks.', strong: 'Soon <b>.' },
        {
          rows: [
            { label: 'Name', value: 'C\u202e <D>' },
            { label: 'Page', value: 'lap.app', url: 'https://lap.app/?"' },
          ],
          quote: { label: 'Note', lines: ['first', '> second'] },
          button: { text: 'Open', url: 'https://lap.app/#t' },
        },
      ],
      why: 'Because.',
    },
    { owner: 'E', contact: 'e@e.example', links: [{ text: 'Imprint', url: 'https://e.example' }] },
  );
  assert.equal(subject, 'A & B');
  assert.equal(
    text,
    `A & B.

Thanks. Soon <b>.

Name: C\u202e <D>
Page: https://lap.app/?"

> first
> > second

https://lap.app/#t

E
e@e.example
Imprint: https://e.example

Because.
`,
  );
  assert.equal(
    html.slice(html.indexOf('<body>')),
    `<body>
<p>A &amp; B</p>
<p>Thanks. <b>Soon &lt;b&gt;.</b></p>
<table cellpadding="4">
<tr><th align="left" valign="top">Name</th><td><bdi>C &lt;D&gt;</bdi></td></tr>
<tr><th align="left" valign="top">Page</th><td><a href="https://lap.app/?&quot;">lap.app</a></td></tr>
<tr><th align="left" valign="top">Note</th><td><bdi>first</bdi><br><bdi>&gt; second</bdi></td></tr>
</table>
<p><a href="https://lap.app/#t">Open</a></p>
<div class="foot">
<p><bdi>E</bdi> · <a href="mailto:e@e.example">e@e.example</a> · <a href="https://e.example">Imprint</a></p>
<p>Because.</p>
</div>
</body>
</html>
`,
  );
});
