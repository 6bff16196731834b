import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RequestedSite } from '../../src/serving/host-text.ts';
import { loadOnDemand } from './on-demand.ts';

/** Responds to `/STATUS` with that status, in two parts. */
const ENTRY = `export const handler = async (request, response, _next, locals) => {
  const { later } = await import('./chunks/later.mjs');
  response.writeHead(Number(request.url.slice(1)), { 'content-type': 'text/plain', 'x-other': '1' });
  response.write(later);
  response.end(\`\${request.method} \${request.headers.host} \${locals.host}\`);
};`;

test('a text is rendered for its host, a 404 is none, and an error is no text', async (context) => {
  const dist = mkdtempSync(join(tmpdir(), 'on-demand-'));
  context.after(() => rmSync(dist, { recursive: true }));
  mkdirSync(join(dist, 'server/chunks'), { recursive: true });
  writeFileSync(join(dist, 'server/entry.mjs'), ENTRY);
  writeFileSync(join(dist, 'server/chunks/later.mjs'), "export const later = 'Text: ';");
  const render = await loadOnDemand(dist);
  const site = { host: 'lap.app' } as RequestedSite;
  const { headers, body } = (await render('/200', site)) ?? assert.fail('no text');
  assert.deepEqual(headers, { 'cache-control': '', 'content-type': 'text/plain' });
  assert.equal(String(body), 'Text: GET localhost lap.app');
  assert.equal(await render('/404', site), undefined);
  for (const status of [500, 301])
    await assert.rejects(
      render(`/${status}`, site),
      new RegExp(`Could not render /${status} \\(${status}\\)`),
    );
});
