import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Policies } from '../../src/serving/policies.ts';
import { finishPage } from '../site-builder/astro-extras/finish-page.ts';
import { collectPolicies, readPolicies } from './policies.ts';

const dist = mkdtempSync(join(tmpdir(), 'policies-'));
after(() => rmSync(dist, { recursive: true }));

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const page = (script: string, more = '') => `<style>b{content:"ü"}</style>${more}<script>${script}</script>`;

function written(pages: Record<string, string>, env = {}, reused?: Policies): Policies {
  const policies = collectPolicies(env, reused);
  for (const [path, html] of Object.entries(pages)) policies.add(path, finishPage(html).inlined);
  policies.write(dist);
  return readPolicies(dist);
}

describe('the content security policy of a page', () => {
  test('the policy of a page allows its inlined script and style, and no other', () => {
    const { everywhere } = written({ '/': page('start()') });
    assert.ok(everywhere.includes(`script-src 'self' ${hash('start()')};`), everywhere);
    assert.ok(everywhere.includes(`style-src 'self' ${hash('b{content:"ü"}')};`), everywhere);
    assert.ok(everywhere.startsWith("default-src 'none';"));
    assert.ok(!everywhere.includes('unsafe'));
  });

  test('the policy of a page allows no data block and no file as inline script', () => {
    const more = '<script type="application/ld+json">{}</script><script src="/a.js" async></script>';
    const { everywhere } = written({ '/': page('start()', more) });
    assert.equal(everywhere, written({ '/': page('start()') }).everywhere);
  });

  test('script tags in attributes and texts add nothing to the policy', () => {
    const more = '<meta content="<script>evil()</script> <style>"><!-- <script>evil()</script> -->';
    const { everywhere } = written({ '/': page('start()', more) });
    assert.equal(everywhere, written({ '/': page('start()') }).everywhere);
  });

  test('pages with equal policies share one, others have their own', () => {
    const { everywhere, pages } = written({
      '/': page('start()'),
      '/sites/lap.app/': page('start()'),
      '/404.html': page('other()'),
    });
    assert.ok(everywhere.includes(hash('start()')));
    assert.deepEqual(Object.keys(pages), ['/404']);
    assert.ok(pages['/404']?.includes(hash('other()')));
  });

  test('a reused page keeps its policy', () => {
    const reused = { everywhere: 'one', pages: { '/sites/lap.app': 'two' } };
    const { everywhere, pages } = written({ '/404.html': page('other()') }, {}, reused);
    assert.equal(everywhere, 'one');
    assert.deepEqual(Object.keys(pages), ['/sites/lap.app', '/404']);
  });

  test('a page whose policy became the shared one has none of its own', () => {
    const { everywhere } = written({ '/': page('start()') });
    const reused = { everywhere, pages: { '/sites/lap.app': 'of its own once' } };
    assert.deepEqual(written({ '/sites/lap.app/': page('start()') }, {}, reused).pages, {});
  });

  test('the policy names Turnstile and the hosted project only if configured', () => {
    const env = { TURNSTILE_SITE_KEY: '1x0', SUPABASE_URL: 'https://name.supabase.co/' };
    const { everywhere } = written({ '/': page('start()') }, env);
    assert.match(everywhere, /script-src 'self' https:\/\/challenges\.cloudflare\.com /);
    assert.match(everywhere, /frame-src https:\/\/challenges\.cloudflare\.com;/);
    assert.match(everywhere, /connect-src 'self' https:\/\/name\.supabase\.co;/);
    assert.doesNotMatch(written({ '/': page('start()') }).everywhere, /https:/);
  });
});
