import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageFor, reportError } from './report-and-exit.ts';

const errorWith = (properties: object) => Object.assign(new Error('of the system'), properties);

test('errors that the owner can correct have their own message', () => {
  for (const name of ['UserError', 'CatalogueError', 'BrandingError', 'MessagesError'])
    assert.equal(messageFor(errorWith({ name })), 'of the system', name);
  const path = '/srv/own/catalogue.yaml';
  for (const [code, remedy] of [
    ['EACCES', 'may not be read or written by this user: change its rights, or run this as its owner'],
    ['EPERM', 'may not be read or written by this user: change its rights, or run this as its owner'],
    ['EROFS', 'lies where nothing can be written: copy the project elsewhere'],
    ['ENOSPC', 'cannot be written, because the disk is full: make room'],
  ] as const)
    assert.equal(messageFor(errorWith({ code, path })), `${path} ${remedy} (${code}).`);
});

test('any other error is printed with its stack', () => {
  for (const error of [
    errorWith({ code: 'ENOSPC' }),
    errorWith({ code: 'ENOENT', path: '/srv' }),
    new TypeError('of the program'),
    { name: 'UserError', message: 'no Error' },
  ]) {
    assert.equal(messageFor(error), undefined);
    const printed: unknown[] = [];
    reportError(error, { error: (text: unknown) => printed.push(text) });
    assert.deepEqual(printed, [error]);
  }
});
