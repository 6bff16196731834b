import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { headersOf, hstsOf } from '../../../src/serving/headers.ts';
import { caddySite } from './caddy.ts';
import { nginxLocations, nginxMaps } from './nginx.ts';
import { HIDDEN_FILE, PLAIN_HOST, PLAIN_TARGET } from './plain-requests.ts';
import { parseServedBuild, type ServedBuild } from './served-build.ts';

const BUILD: ServedBuild = {
  folder: '/opt/domain-storefront/.builds/1-2',
  everywhere: "default-src 'none'",
  exceptions: [
    ['/404.html', "default-src 'self'"],
    ['/sites/sold.example/index.html', "img-src 'self'"],
  ],
  hosts: ['names.example.com'],
  adminHost: 'admin.example',
  prefixes: ['/de'],
};

describe('the configurations of web servers', () => {
  const nginx = nginxLocations(BUILD, '{}');
  const maps = nginxMaps(BUILD);
  const caddy = caddySite(BUILD);

  test('have every header of the definition with its value', () => {
    const FILES: [file: string, nginx: string, caddy: string][] = [
      ['/_astro/a.js', 'location ^~ /_astro/ {', 'handle /_astro/* {'],
      ['/share/a.png', 'location ^~ /share/ {', 'handle /share/* {'],
      ['/sites/lap.app/', 'location ^~ /sites/ {', 'handle {'],
      ['/sites/lap.app/', 'location ^~ /de/sites/ {', 'handle {'],
      ['/a.html', 'location / {', 'handle {'],
      ['/404.html', 'location @storefront_not_found {', 'rewrite * /404.html'],
    ];
    const pages = { '/404': "default-src 'self'", '/sites/sold.example': "img-src 'self'" };
    for (const [file, location, handle] of FILES) {
      const {
        'content-security-policy': policy,
        'content-type': type,
        ...headers
      } = headersOf(file, { everywhere: BUILD.everywhere, pages });
      const inNginx = nginx.slice(nginx.indexOf(location)).split('\n}')[0] ?? '';
      const inCaddy = caddy.slice(caddy.indexOf(handle)).split('file_server')[0] ?? '';
      for (const [name, value] of Object.entries(headers)) {
        assert.ok(inNginx.includes(`add_header ${name} "${value}" always;`), `nginx, ${file}: ${name}`);
        assert.ok(inCaddy.includes(`${name} "${value}"`), `Caddy, ${file}: ${name}`);
      }
      assert.ok(nginx.includes(`"${type}" `) && caddy.includes(`"${type}"`), type);
      if (policy) assert.ok(maps.includes(`"${policy}"`) && caddy.includes(`"${policy}"`), policy);
    }
    const site = { names: new Set<string>(), hosts: BUILD.hosts, adminHost: BUILD.adminHost };
    for (const host of ['names.example.com', 'www.names.example.com', 'admin.example']) {
      for (const text of [maps, caddy]) assert.match(text, new RegExp(`\\s${host} "${hstsOf(host, site)}"`));
    }
  });

  test('take no character of a folder or policy for a variable', () => {
    const odd = {
      ...BUILD,
      folder: '/opt/$a {b} "c" \\d',
      everywhere: 'connect-src https://$a{b}',
    };
    assert.ok(
      nginxLocations(odd, '{}').includes(`root "/opt/\${storefront_dollar}a {b} \\"c\\" \\\\d/client";`),
    );
    assert.ok(nginxMaps(odd).includes(`"connect-src https://\${storefront_dollar}a{b}"`));
    assert.ok(nginxMaps(odd).includes('geo $storefront_dollar {\n  default "$";\n}'));
    assert.ok(caddySite(odd).includes('root * "/opt/$a \\{b\\} \\"c\\" \\d/client"'));
    assert.ok(caddySite(odd).includes('0 "connect-src https://$a\\{b\\}"'));
  });

  test('name the folder of their build, not dist', () => {
    for (const text of [nginx, caddy])
      assert.ok(text.includes('"/opt/domain-storefront/.builds/1-2/client"'));
  });

  test('leave the tables of nginx alone unless their keys need it', () => {
    assert.doesNotMatch(maps, /map_hash/);
    const long = `/sites/${'long'.repeat(15)}.example/index.html`;
    assert.match(
      nginxMaps({ ...BUILD, exceptions: [[long, "img-src 'self'"]] }),
      /map_hash_bucket_size 512;/,
    );
    const many = Array.from({ length: 2_000 }, (_, n): [string, string] => [`/${n}.html`, "img-src 'self'"]);
    assert.match(nginxMaps({ ...BUILD, exceptions: many }), /map_hash_max_size 8192;/);
  });
});

test('a description of a build adds no directive to a configuration', () => {
  const { folder, ...description } = BUILD;
  const parse = (changed: object) => parseServedBuild(JSON.stringify({ ...description, ...changed }), folder);
  assert.deepEqual(parse({}), BUILD);
  const none = { hosts: [], adminHost: undefined, exceptions: [], prefixes: [] };
  assert.equal(parse(none).adminHost, undefined);

  const page = '/404.html';
  for (const [what, hostile] of Object.entries({
    'a policy that ends its quotes': { everywhere: 'a"; error_log /etc/cron.d/a; #' },
    'a policy that escapes its end': { everywhere: 'a\\' },
    'a policy with a variable of Caddy': { everywhere: '{$HOME:"}' },
    'a policy in two lines': { exceptions: [[page, 'a\nb']] as const },
    'a page with a blank': { exceptions: [['/a b.html', 'a']] as const },
    'a page with a semicolon': { exceptions: [['/a;include/etc/shadow.html', 'a']] as const },
    'a page above the site': { exceptions: [['/../a.html', 'a']] as const },
    'a host with a variable': { hosts: ['$host'] },
    'a host with a brace': { hosts: ['a{'] },
    'an expression as a host': { hosts: ['~^.*$'] },
    'an admin host in two lines': { adminHost: 'a\nb' },
    'a prefix with a directive': { prefixes: ['/de { } include /etc/shadow; #'] },
  })) {
    assert.throws(() => parse(hostile), /damaged\. Build again/, what);
  }
  assert.throws(() => parse({ folder: '/etc' }), /damaged\. Build again/);
  for (const damaged of ['', '{}', 'null'])
    assert.throws(() => parseServedBuild(damaged, folder), /damaged\. Build again/, damaged);
});

describe('hosts that are keywords of a map', () => {
  const folder = mkdtempSync(join(tmpdir(), 'web-servers-'));
  after(() => rmSync(folder, { recursive: true }));
  const build = { ...BUILD, hosts: ['default', 'hostnames', 'include', 'volatile'], adminHost: undefined };
  const value = hstsOf('default', { names: new Set<string>(), hosts: build.hosts, adminHost: undefined });

  test('are hosts to nginx', (context) => {
    if (spawnSync('nginx', ['-v']).error) return context.skip('nginx is not installed');
    const file = join(folder, 'nginx.conf');
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (one) => `${one}_temp_path ${one};`,
    );
    writeFileSync(
      file,
      `pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${places.join(' ')} upstream storefront { server 127.0.0.1:1; }
      ${nginxMaps(build)} server { listen unix:${folder}/socket; ${nginxLocations(build, '{}')} } }`,
    );
    const { status, stderr } = spawnSync('nginx', ['-t', '-p', folder, '-c', file], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    for (const host of build.hosts) assert.ok(nginxMaps(build).includes(`\n  \\${host} "${value}";`), host);
  });

  test('are hosts to Caddy', (context) => {
    if (spawnSync('caddy', ['version']).error) return context.skip('Caddy is not installed');
    const file = join(folder, 'Caddyfile');
    writeFileSync(file, `http://:8080 {\n${caddySite(build)}\n}\n`);
    const { status, stdout, stderr } = spawnSync(
      'caddy',
      ['adapt', '--config', file, '--adapter', 'caddyfile'],
      {
        encoding: 'utf8',
      },
    );
    assert.equal(status, 0, stderr);
    const mapping = { input_regexp: '^default$', outputs: [value] };
    assert.ok(stdout.includes(JSON.stringify(mapping)), stdout);
  });
});

test('plainly written hosts and paths are those of browsers', () => {
  const isPlain = (pattern: string, text: string) => new RegExp(`^${pattern}$`).test(text);
  for (const host of ['lap.app', 'www.lap.app:443', 'xn--bcher-kva.example', '192.0.2.1'])
    assert.ok(isPlain(PLAIN_HOST, host), host);
  for (const host of [
    '',
    'LAP.app',
    'lap.app.',
    '[::1]',
    'a b',
    'a/b',
    'a,b',
    'a..b',
    'owner@a',
    'a:b',
    'a:123456',
  ])
    assert.ok(!isPlain(PLAIN_HOST, host), host);
  for (const path of ['/', '/de/', '/sites/lap.app/', '/_astro/a.B_c-1.js', '/?from=//a/../b'])
    assert.ok(isPlain(PLAIN_TARGET, path), path);
  for (const path of [
    '//',
    '/a//b',
    '/../a',
    '/a/..',
    '/a/./b',
    '/.env',
    '/%61',
    '/a%2fb',
    '/%00',
    '/a#b',
    '*',
    'http://a/',
    '/ü',
  ])
    assert.ok(!isPlain(PLAIN_TARGET, path), path);
  for (const path of ['/index.html', '/de/index.html?a', '/index.html.br', '/a.gz'])
    assert.ok(isPlain(`[^?]*${HIDDEN_FILE}(?:\\?.*)?`, path), path);
});
