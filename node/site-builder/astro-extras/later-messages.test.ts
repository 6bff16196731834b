import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { moveMessages } from './later-messages.ts';

const island = (name: string) =>
  `<astro-island uid="1" component-url="/_astro/${name}.1a.js" component-export="${name}" props="{&quot;a&quot;:1}"></astro-island>`;
const messages = (json: string) => `<script id="messages" type="application/json">${json}</script>`;

test('messages are moved into one module, which puts them back and exports the islands that follow', () => {
  const json = '{"form":{"title":"\\u201eA\\" \\u003c/script> $& `"}}';
  const page = (content: string, [a, b]: readonly [string, string]) =>
    `<body>${island('Search')}${messages(content)}${island('Form').replace('/_astro/Form.1a.js', a)}${island('Panel').replace('/_astro/Panel.1a.js', b)}</body>`;
  const { html, module } = moveMessages(page(json, ['/_astro/Form.1a.js', '/_astro/Panel.1a.js']));
  assert.match(module?.name ?? '', /^messages\.[\w-]{8}\.js$/);
  const url = `/_astro/${module?.name}`;
  assert.equal(html, page('', [url, url]));
  const [, exports, script = ''] =
    /^((?:export\{\w+\}from"[^"]+";)+)(.*)$/s.exec(module?.content ?? '') ?? [];
  assert.equal(exports, 'export{Form}from"./Form.1a.js";export{Panel}from"./Panel.1a.js";');
  const element = { textContent: '' };
  runInNewContext(script, { document: { querySelector: () => element } });
  assert.deepEqual(JSON.parse(element.textContent), JSON.parse(json));
});

test('the module’s name changes with the messages and with the islands', () => {
  const names = [
    messages('1') + island('Form'),
    messages('2') + island('Form'),
    messages('1') + island('Panel'),
  ].map((html) => moveMessages(html).module?.name);
  assert.equal(new Set(names).size, 3);
});

test('a page without messages, or without islands, is left as it is', () => {
  for (const html of [island('Form'), messages('{}')]) {
    assert.deepEqual(moveMessages(html), { html });
  }
});
