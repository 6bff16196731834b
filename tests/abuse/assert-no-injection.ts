/** Asserts that visitors' texts change nothing else in a mail or in the request of a webhook. */
import assert from 'node:assert/strict';
import type { ReceivedMail } from '../../supabase/functions/deliver/fake-smtp-server.ts';
import { mailStyle } from '../../supabase/functions/deliver/mail-style.ts';

/** Headers of every mail. */
const HEADERS = [
  ...['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'],
];

/** Tags of every mail, without its style and once the texts between <bdi> and </bdi> are removed. */
const TAGS =
  /^<(?:!doctype html|html lang="\w+"|table cellpadding="4"|table class="(?:bar|share)" role="presentation"|td (?:width="\d+%"|align="right")|th align="left" valign="top"|td class="large"|p class="(?:button|soft|from)"|div class="foot"|code translate="no"|meta charset="utf-8"|h1 class="amount"|(?:head|title|body|main|h1|p|tr|td|bdi|b)|\/(?:html|head|title|body|main|h1|p|table|tr|th|td|a|b|div|code)|a href="https:\/\/[\w.-]+\/offer\/(?:#[0-9a-f]{32})?"|a href="https?:\/\/[\w.:]+\/admin\/dashboard#offer=[\w-]{36}"|a (?:class="second" )?href="mailto:visitor\d+%2B%2F%3D%3F%7B%7D@visitor\.example(?:\?subject=Your%20offer%20for%20lap\.app)?")>$/;

/**
 * Asserts that a mail has its own headers, addressees and tags only. A confirmation must hold none of the texts.
 * @param ownersHost of the owner's addresses
 */
export function assertNoInjection(
  { parsed, to: recipients, from }: ReceivedMail,
  texts: readonly string[],
  ownersHost: string,
): void {
  assert.equal(from, 'offers@mail.example');
  assert.equal(recipients.length, 1);
  assert.equal(parsed.from?.text, '"Offers" <offers@mail.example>');
  assert.deepEqual(addressesOf(parsed.to), recipients);
  assert.equal(parsed.cc ?? parsed.bcc, undefined);
  assert.equal(parsed.attachments.length, 0);
  const whole = String(parsed.html);
  const html = whole.replace(mailStyle(), '');
  assert.notEqual(html, whole);
  const tags = html.replace(/<bdi(?: translate="no")?>[^<>]*<\/bdi>/g, '<bdi>').match(/<[^>]*>/g) ?? [];
  for (const tag of tags) assert.match(tag, TAGS);
  const offers = parsed.text?.match(/#offer=/g)?.length ?? 0;
  // Domain, or with one offer whom to reply to, besides six others.
  const answers = parsed.text?.match(/^Answer by: /gm)?.length ?? 0;
  // A headline with the amount has it as typed beside it, where that differs.
  const typed =
    /^Offer: /m.test(parsed.text ?? '') && /^(?!New offer )\S+ for lap\.app$/.test(parsed.subject ?? '');
  const rows = 7 * offers + answers + Number(typed);
  const shares = tags.filter((tag) => tag.startsWith('<table class="share"')).length;
  assert.equal(tags.filter((tag) => tag === '<bdi>').length, rows);
  assert.equal(tags.filter((tag) => tag === '</table>').length, offers + 2 * shares);
  const own = [...parsed.headers.keys()].filter((name) => !HEADERS.includes(name));
  if (recipients[0]?.endsWith(ownersHost)) {
    const single = parsed.messageId?.startsWith('<offer.');
    assert.deepEqual(own, single ? ['reply-to'] : []);
    if (single) {
      assert.match(String(parsed.subject), /^(?:New offer|[^\p{Cc}]{1,20}) for lap\.app$/u);
      assert.equal(addressesOf(parsed.replyTo).length, 1);
      assert.match(String(addressesOf(parsed.replyTo)), /^visitor\d+\+\/=\?\{\}@visitor\.example$/);
    }
    return;
  }
  assert.deepEqual(own.sort(), ['content-language', 'reply-to']);
  assert.deepEqual(addressesOf(parsed.replyTo), [`ada@${ownersHost}`]);
  const words = `${parsed.subject}\n${parsed.text}\n${html}`;
  // Short ones stand in any text.
  for (const text of texts.filter(({ length }) => length > 6)) assert.ok(!words.includes(text), 'typed text');
}

function addressesOf(field: ReceivedMail['parsed']['to']): string[] {
  const lists = Array.isArray(field) ? field : field ? [field] : [];
  return lists.flatMap(({ value }) => value.map(({ address }) => address ?? ''));
}

/** Asserts that a webhook's body has its own fields only, and that its text has no control character and no markup of chats. */
export function assertHookText(body: string): void {
  const { text, ...more } = JSON.parse(body) as { text: string };
  assert.deepEqual(Object.keys(more).sort(), ['content', 'kind', 'offers']);
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}<>\u2028\u2029\u202a-\u202e]/u);
}
