import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Policies } from '../../src/serving/policies.ts';
import { listFiles } from './file-index.ts';
import { readPolicies, writePolicies } from './policies.ts';

const dist = mkdtempSync(join(tmpdir(), 'policies-'));
after(() => rmSync(dist, { recursive: true }));

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const page = (script: string, more = '') => `<style>b{content:"ü"}</style>${more}<script>${script}</script>`;

/** @param pages by file */
function policiesOf(pages: Record<string, string>, env = {}): Policies {
  rmSync(dist, { recursive: true });
  for (const [name, html] of Object.entries(pages)) {
    const file = join(dist, 'client', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, html);
  }
  writePolicies(dist, env, listFiles(dist));
  return readPolicies(dist);
}

const policyOf = (html: string, env = {}) => policiesOf({ 'index.html': html }, env).everywhere;

describe('the content security policy of a page', () => {
  test('the policy of a page allows its inlined script and style, and no other', () => {
    const policy = policyOf(page('start()'));
    assert.ok(policy.includes(`script-src 'self' ${hash('start()')};`), policy);
    assert.ok(policy.includes(`style-src 'self' ${hash('b{content:"ü"}')};`), policy);
    assert.ok(policy.startsWith("default-src 'none';"));
    assert.ok(!policy.includes('unsafe'));
  });

  test('the policy of a page allows no data block and no file as inline script', () => {
    const more = '<script type="application/ld+json">{}</script><script src="/a.js" async></script>';
    assert.equal(policyOf(page('start()', more)), policyOf(page('start()')));
  });

  test('script tags in attributes, comments and texts add nothing to the policy', () => {
    const more =
      '<meta content="<script>evil()</script> <style>"><p title=\'"<script>\'>b</p><!-- it\'s <script>evil()</script> -->';
    assert.equal(policyOf(page('start()', more)), policyOf(page('start()')));
  });

  test('pages share one policy, the administrator’s and the buyer’s have their own', () => {
    const { everywhere, pages } = policiesOf({
      'index.html': page('start()'),
      'sites/lap.app/index.html': page('start()'),
      '404.html': page('other()'),
      // Compressed forms of it are there.
      ...{ '404.html.br': '', '404.html.gz': '' },
      '_astro/a.js': '"<script>text()</script>"',
      'admin/login/index.html': page('admin()'),
      'de/offer/index.html': page('offer()'),
    });
    assert.match(everywhere, /^[^;]+; script-src 'self' '[^ ]+' '[^ ]+';/);
    assert.ok(everywhere.includes(hash('start()')) && everywhere.includes(hash('other()')), everywhere);
    assert.deepEqual(Object.keys(pages).sort(), ['/admin/login', '/de/offer']);
    assert.ok(pages['/de/offer']?.includes(`script-src 'self' ${hash('offer()')};`));
    assert.doesNotMatch(everywhere + pages['/de/offer'], /trusted-types/);
    assert.ok(pages['/admin/login']?.includes(`script-src 'self' ${hash('admin()')};`));
    assert.match(pages['/admin/login'] ?? '', /require-trusted-types-for 'script'/);
  });

  test('the policy names Turnstile and the hosted project only if configured', () => {
    const env = { TURNSTILE_SITE_KEY: '1x0', SUPABASE_URL: 'https://name.supabase.co/' };
    const policy = policyOf(page('start()'), env);
    assert.match(policy, /script-src 'self' https:\/\/challenges\.cloudflare\.com /);
    assert.match(policy, /frame-src https:\/\/challenges\.cloudflare\.com;/);
    assert.match(policy, /connect-src 'self' https:\/\/name\.supabase\.co;/);
    assert.equal(
      policyOf('<p>a page'),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
  });
});
