import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonOf } from './reason-of.ts';

test('the number of PGlite’s file system becomes the operating system’s message', () => {
  assert.equal(reasonOf({ name: 'ErrnoError', errno: 51 }), 'ENOSPC, no space left on device');
  assert.equal(reasonOf({ name: 'ErrnoError', errno: 69 }), 'EROFS, read-only file system');
  assert.equal(reasonOf({ name: 'ErrnoError', errno: 77 }), 'ErrnoError 77');
});

test('an error with a message is reported by its first line', () => {
  assert.equal(reasonOf(new Error('PGlite failed.\n  at a')), 'PGlite failed');
  assert.equal(
    reasonOf(new Error('ENOENT: no such file, scandir /x.y')),
    'ENOENT: no such file, scandir /x.y',
  );
});
