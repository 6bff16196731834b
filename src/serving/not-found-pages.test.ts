import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notFoundPages } from './not-found-pages.ts';

const SITE = { names: new Set(['lap.app', 'sold.example']), notForSale: new Set(['sold.example']) };

test('an unknown path on the host of a name that is for sale gets the page that says so, in its language', () => {
  for (const host of ['lap.app', 'www.lap.app', 'lap.app.localhost'])
    assert.deepEqual(
      notFoundPages(host, '/de/old/page.html', SITE),
      ['/de/404-for-sale/', '/404-for-sale/', '/de/404/', '/404.html'],
      host,
    );
});

test('an unknown path on any other host, that of a sold name too, gets the 404 page of the site', () => {
  for (const host of ['sold.example', 'names.example.com', 'unknown.example', 'localhost', ''])
    assert.deepEqual(notFoundPages(host, '/old.html', SITE), ['/old.html/404/', '/404.html'], host);
});
