import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { APIContext, APIRoute } from 'astro';
import { GET as securityTxt } from '../pages/.well-known/security.txt.ts';
import { GET as robots } from '../pages/robots.txt.ts';
import { GET as sitemap } from '../pages/sitemap.xml.ts';

const SITE = {
  names: new Set(['lap.app']),
  hosts: ['names.example.com'],
  languages: ['en'],
  domainPages: 0,
  contact: 'security@example.com',
};

/** As the server calls a page. */
async function get(page: APIRoute, host: string, headers: Record<string, string> = {}): Promise<Response> {
  const request = new Request(`http://${host}/`, { headers });
  return await page({ request, locals: { host, site: SITE } } as unknown as APIContext);
}

test('each host has its own robots.txt and sitemap.xml', async () => {
  const text = await (await get(robots, 'lap.app')).text();
  assert.match(text, /^Sitemap: https:\/\/lap\.app\/sitemap\.xml$/m);
  assert.doesNotMatch(await (await get(robots, 'other.example')).text(), /Sitemap/);
  for (const host of ['lap.app', 'names.example.com']) {
    const response = await get(sitemap, host);
    assert.equal(response.headers.get('content-type'), 'application/xml; charset=utf-8');
    assert.match(await response.text(), new RegExp(`<loc>https://${host}/</loc>`));
  }
  assert.equal((await get(sitemap, 'other.example')).status, 404);
  assert.equal((await get(sitemap, 'localhost')).status, 404);
});

test('security.txt exists only on hosts of the site', async () => {
  assert.match(await (await get(securityTxt, 'lap.app')).text(), /^Contact: mailto:security@example\.com$/m);
  assert.equal((await get(securityTxt, 'other.example')).status, 404);
});

test('a crawler with a current copy gets 304 without a body', async () => {
  const first = await get(sitemap, 'lap.app');
  const etag = first.headers.get('etag') ?? '';
  const again = await get(sitemap, 'lap.app', { 'if-none-match': `"other", ${etag}` });
  assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', etag]);
});
