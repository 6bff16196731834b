import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isEmail,
  isIp,
  isIpOrNetwork,
  isOrigin,
  isPublishableKey,
  isSafeUrl,
  isSecretKey,
  isSigningSecret,
  isSmtpUrl,
} from './setting-formats.ts';

/** A key of the former kind. */
const keyOf = (role: string) => `e30.${Buffer.from(JSON.stringify({ role })).toString('base64url')}.c2ln`;

const FORMATS = [
  [isEmail, ['a@b.example']],
  [isSecretKey, ['sb_secret_a', keyOf('service_role')]],
  [isPublishableKey, ['sb_publishable_a', keyOf('anon')]],
  [isSigningSecret, ['a text', 'whsec_MfKQ', 'whsec_MfKQ9g==']],
  [isIp, ['203.0.113.7', '0.0.0.0', '::', '::1', '::ffff:192.0.2.1', 'fe80::1%eth0']],
  [isIpOrNetwork, ['203.0.113.7', '203.0.113.7/32', '2001:db8::/32', '::1/128']],
  [isOrigin, ['https://Example.com', 'http://127.0.0.1:54321']],
  [isSafeUrl, ['https://example.com/a?b', 'http://localhost:1/', 'http://[::1]/', 'http://127.0.0.9/']],
  [isSmtpUrl, ['smtp://a.example', 'smtps://a%40b.example:c@d.example:465/', 'smtp://[::1]:2525']],
] as const;

const WRONG = [
  [isEmail, ['', 'a']],
  [isSecretKey, ['', 'sb_publishable_a', keyOf('anon')]],
  [isPublishableKey, ['', 'sb_secret_a', keyOf('service_role')]],
  [isSigningSecret, ['whsec_', 'whsec_a b', 'whsec_MfKQ9']],
  [isIp, ['', 'proxy', '1.2.3', '1.2.3.256', '127.1', '0x7f.0.0.1', ':', '[::1]', '::1::', '1.2.3.4:80']],
  [isIpOrNetwork, ['', 'proxy', '203.0.113.0/33', '203.0.113.0/', '2001:db8::/129', '1.2.3.4/8/8']],
  [isOrigin, ['example.com', 'https://a.example/', 'https://a@b.example', 'ftp://a.example']],
  [
    isSafeUrl,
    [
      'http://a.example',
      'http://127.0.0.1.example/',
      'https://a@c.example',
      'https://:b@c.example',
      'ftp://localhost',
    ],
  ],
  [
    isSmtpUrl,
    [
      'smtp://',
      'smtp://b.example/x',
      'smtp://b.example?x',
      'smtp://b.example#x',
      'smtp://a@b.example',
      'smtp://a:%FF@b.example',
      'smtp://a:%@b.example',
    ],
  ],
] as const;

for (const [list, wanted] of [
  [FORMATS, true],
  [WRONG, false],
] as const) {
  for (const [isRight, texts] of list) {
    test(`${isRight.name} ${wanted ? 'accepts' : 'rejects'} ${texts.join(' ')}`, () => {
      for (const text of texts) assert.equal(isRight(text), wanted, text);
    });
  }
}

test('an email has at most 254 characters', () => {
  const rest = `@${'b.'.repeat(122)}example`;
  assert.ok(isEmail(`aa${rest}`));
  assert.ok(!isEmail(`aaa${rest}`));
});
