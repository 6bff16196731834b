import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createPage } from './page.ts';

function browserAt(pathname: string) {
  const location = { pathname, hash: '' };
  const listeners: (() => void)[] = [];
  const history = {
    pushState: mock.fn((_state: unknown, _title: string, path: string) => {
      location.pathname = path;
    }),
  };
  const addEventListener = (_: string, listen: () => void) => listeners.push(listen);
  const place = { location, history, addEventListener } as unknown as Window;
  return {
    ...createPage(place),
    history,
    location,
    goTo(path: string) {
      location.pathname = path;
      for (const listen of listeners) listen();
    },
  };
}

for (const [path, page] of [
  ['/admin/names', 'names'],
  ['/admin/names/', 'names'],
  ['/admin/dashboard', 'offers'],
  ['/admin/login', 'offers'],
] as const)
  test(`${path} is the page ${page}`, () => {
    assert.equal(browserAt(path).$page.get(), page);
  });

test('a link opens its page, and Back the one before', () => {
  const { $page, openPage, goTo, location } = browserAt('/admin/dashboard');
  openPage('names');
  assert.deepEqual([$page.get(), location.pathname], ['names', '/admin/names']);
  goTo('/admin/dashboard');
  assert.equal($page.get(), 'offers');
});

test('a link within its page leads to its fragment, with the event of it', () => {
  const { openPage, history, location } = browserAt('/admin/dashboard');
  openPage('offers', '#offer=1');
  assert.deepEqual([history.pushState.mock.callCount(), location.hash], [0, '#offer=1']);
  openPage('names', '#x');
  assert.equal(history.pushState.mock.callCount(), 1);
});

test('a path of no page changes nothing', () => {
  const { $page, goTo } = browserAt('/admin/names');
  goTo('/admin/login');
  assert.equal($page.get(), 'names');
});
