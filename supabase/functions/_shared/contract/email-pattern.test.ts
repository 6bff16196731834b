import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod/mini';
import { EMAIL_PATTERN } from './email-pattern.ts';

test('the pattern of emails is the one that offers are checked with', () => {
  assert.equal(EMAIL_PATTERN.source, z.regexes.html5Email.source);
  assert.equal(EMAIL_PATTERN.flags, z.regexes.html5Email.flags);
});
