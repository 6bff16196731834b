/** The release workflow and compose.yaml, as far as they run without GitHub and Docker. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { VERSION } from '../../config/version.ts';
import { newFolder } from '../support/terminal.ts';

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly needs?: readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

const workflow = parse(readFileSync('.github/workflows/release.yml', 'utf8')) as {
  on: unknown;
  permissions: unknown;
  jobs: Record<string, Job>;
};
const { release, ...checks } = workflow.jobs;

test('a version’s tag alone starts a release, which waits for every test', () => {
  assert.deepEqual(workflow.on, { push: { tags: ['v*'] } });
  assert.deepEqual(release?.needs, Object.keys(checks));
  const programs = Object.values(checks).flatMap(({ steps }) => steps.map(({ run = '' }) => run));
  for (const program of ['.ci/run', 'tests/container/from-nothing.ts']) {
    assert.ok(programs.some((run) => run.endsWith(` ${program}`)) && existsSync(program), program);
  }
});

test('no job but the release may write', () => {
  assert.deepEqual(workflow.permissions, { contents: 'read' });
  for (const job of Object.values(checks)) assert.equal(job.permissions, undefined);
  assert.deepEqual(release?.permissions, { contents: 'write', packages: 'write' });
});

test('the image is pushed for both processors, with provenance and a list of contents', () => {
  const steps = release?.steps ?? [];
  const push = steps.find(({ uses }) => uses?.startsWith('docker/build-push-action@'));
  const { tags, ...options } = push?.with ?? {};
  assert.match(String(tags), /^\$\{\{ steps\.notes\.outputs\.image \}\}$/);
  assert.deepEqual(options, {
    context: '.',
    platforms: 'linux/amd64,linux/arm64',
    push: true,
    provenance: 'mode=max',
    sbom: true,
  });
  const place = (step: Step | undefined) => steps.indexOf(step as Step);
  assert.ok(place(steps.find(({ id }) => id === 'notes')) < place(push), 'a wrong tag pushes nothing');
});

test('the notes of a release are its section of the changelog, and a tag of another version stops it', () => {
  const script = release?.steps.find(({ id }) => id === 'notes')?.run ?? '';
  const run = (folder: string, tag: string) => {
    const temporary = newFolder();
    const output = join(temporary, 'output');
    const { status, stdout } = spawnSync('bash', ['-e', '-c', script], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        GITHUB_REF_NAME: tag,
        GITHUB_REPOSITORY: 'Some-Owner/Storefront',
        GITHUB_OUTPUT: output,
        RUNNER_TEMP: temporary,
      },
    });
    const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    return { status, stdout, image: read(output), notes: read(join(temporary, 'notes.md')) };
  };

  const folder = newFolder();
  writeFileSync(join(folder, 'package.json'), '{"version": "1.2.0"}');
  const changelog = (...versions: string[]) =>
    writeFileSync(
      join(folder, 'CHANGELOG.md'),
      `# Changelog\n\n${versions.map((version) => `## ${version} (2026-01-02)\n\n- Changes of ${version}\n\n`).join('')}`,
    );
  changelog('11.2.0', '1.2.0', '1.1.0');
  const made = run(folder, 'v1.2.0');
  assert.equal(made.status, 0, made.stdout);
  assert.equal(made.notes.trim(), '- Changes of 1.2.0');
  assert.equal(made.image, 'image=ghcr.io/some-owner/storefront:1.2.0\n');
  assert.equal(run(folder, 'v1.2.1').status, 1);
  changelog('1.1.0');
  const none = run(folder, 'v1.2.0');
  assert.deepEqual([none.status, none.image], [1, '']);

  assert.match(run('.', `v${VERSION}`).notes, /^\n### /, 'the version of package.json has its section');
});

test('the services of compose.yaml run without capabilities, but Caddy’s for the ports below 1024', () => {
  const { services } = parse(readFileSync('compose.yaml', 'utf8'));
  for (const [name, { cap_drop, cap_add, security_opt }] of Object.entries<Record<string, unknown>>(
    services,
  )) {
    assert.deepEqual([cap_drop, security_opt], [['ALL'], ['no-new-privileges:true']], name);
    assert.deepEqual(cap_add, name === 'caddy' ? ['NET_BIND_SERVICE'] : undefined, name);
  }
});

test('compose.yaml starts the image of STOREFRONT_IMAGE, and builds one where that is unset', () => {
  const { services } = parse(readFileSync('compose.yaml', 'utf8'));
  const { image, build } = services.storefront;
  // A shell replaces ${NAME:-default} as compose does.
  const imageWith = (env: Record<string, string>) =>
    spawnSync('sh', ['-c', `printf %s "${image}"`], { encoding: 'utf8', env }).stdout;
  assert.equal(imageWith({ STOREFRONT_IMAGE: 'ghcr.io/a/b:0.2.0' }), 'ghcr.io/a/b:0.2.0');
  assert.equal(imageWith({}), 'domain-storefront');
  assert.equal(build, '.');
});

test('every action and every image of others is pinned by its digest', () => {
  const workflows = ['ci', 'release'].map((name) => `.github/workflows/${name}.yml`);
  const named = [...workflows, 'compose.yaml', 'Dockerfile'].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^[ -]*(?:uses:|image:|FROM) (\S+)/gm)].map(
      ([, what = '']) => what,
    ),
  );
  assert.ok(named.length > 10);
  const own = (what: string) => what.startsWith('${STOREFRONT_IMAGE');
  const open = named.filter((what) => !/@(?:[0-9a-f]{40}|sha256:[0-9a-f]{64})$/.test(what) && !own(what));
  assert.deepEqual(open, []);
});
