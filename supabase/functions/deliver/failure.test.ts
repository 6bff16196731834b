import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failed, firstLine, lastLine } from './failure.ts';

const reasonOf = (...args: Parameters<typeof failed>) => {
  const outcome = failed(...args);
  return outcome.status === 'failed' ? outcome.reason : '';
};

test('a reason has at most 300 characters, one line, and is never empty', () => {
  assert.equal(reasonOf('a'.repeat(400)).length, 300);
  // Half a character does not count.
  const emoji = reasonOf('😀'.repeat(400));
  assert.equal(emoji.length, 299);
  assert.ok(emoji.isWellFormed());
  assert.equal(reasonOf('550 no\u0000\u202e such\r\nuser'), '550 no  such user');
  assert.equal(reasonOf(' '), 'No reason was given.');
});

test('a reason has no email address and no secret', () => {
  assert.equal(
    reasonOf('550 5.1.1 <ada@example.com>: "grace"@x.example, o\'brien@example.com; secret', {
      secrets: ['secret', 'us'],
    }),
    '550 5.1.1 <(email)>: (email), (email); …',
  );
  // A part of a URL that words have, too, is none.
  const secrets = ['', 'use', 'k3y4', 'k3y4-long'];
  assert.equal(reasonOf('421 unused k3y4, k3y4', { secrets }), '421 unused …, …');
  assert.doesNotMatch(reasonOf('mailto:ada+x@sub.example.com?x'), /ada|example/);
});

test('finds the line with the reason', () => {
  assert.equal(lastLine('550-5.1.1 first\r\n550 5.1.1 last\r\n'), '550 5.1.1 last');
  assert.equal(lastLine(''), '');
  assert.equal(firstLine('\n <style>a{}</style><title>Bad <b>gateway</b></title>\nmore'), 'Bad  gateway');
});

test('a reply of 300,000 characters takes no time, and of its last line the start counts', () => {
  const long = 'a'.repeat(300_000);
  const started = performance.now();
  for (const text of [
    long,
    `451 ${long}`,
    `<${long}`,
    '<'.repeat(300_000),
    '<style>'.repeat(40_000),
    ' '.repeat(300_000),
  ]) {
    for (const line of [reasonOf(text), reasonOf(lastLine(text)), reasonOf(firstLine(text))])
      assert.ok(line.length <= 300);
  }
  // Without a limit each of the first takes 95 s.
  assert.ok(performance.now() - started < 2_000, `${performance.now() - started} ms`);
  assert.equal(lastLine(`250-x\r\n451 4.3.0 ${long}\r\n\r\n`).slice(0, 12), '451 4.3.0 aa');
  assert.equal(firstLine(`<style>${long}`), '');
});
