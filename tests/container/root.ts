/** Fresh Debian roots in which the Dockerfile's instructions run, where no container engine is. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { commandOf, createContextFilter, type Stage } from './dockerfile.ts';

/** Where each command sees its root; mounts of its own that end with it. */
const ENTER = `set -e
mount --make-rprivate /
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
if [ -n "$CERTIFICATES" ]; then mount --bind "$CERTIFICATES" "$1/mnt"; fi
root=$1 user=$2
shift 2
exec chroot --userspec="$user" "$root" "$@"`;

/** A stage of the image after its instructions. */
export interface Built {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly user: string;
  readonly command: string[];
  readonly healthCheck: string[];
  readonly volumes: string[];
}

/** Why the roots cannot be made here; undefined if they can. */
export function missingForRoots(): string | undefined {
  if (process.getuid?.() !== 0) return 'this user is not root';
  const programs = ['debootstrap', 'chroot', 'unshare', 'apt-get', 'npm'];
  const missing = programs.filter((name) => spawnSync('which', [name]).status !== 0);
  if (missing.length > 0) return `${missing.join(', ')} is not installed`;
  return mirror() === undefined ? 'apt knows no source of this Debian' : undefined;
}

/**
 * Makes a root of Debian, with more packages, from the source that this machine's apt uses.
 * @param codename a release; absent: this machine's
 */
export function makeDebian(folder: string, packages: readonly string[] = [], codename = release()): void {
  const included = packages.length > 0 ? [`--include=${packages.join(',')}`] : [];
  run('debootstrap', ['--variant=minbase', ...included, codename, folder, mirror() ?? '']);
  cpSync('/etc/resolv.conf', join(folder, 'etc/resolv.conf'), { dereference: true });
}

/** Gives a root what the image node:24 has beside Debian's: Node, from this project's packages, and this machine's npm. */
export function addNode(root: string): void {
  cpSync(realpathSync('node_modules/node/bin/node'), join(root, 'usr/local/bin/node'));
  const modules = join(root, 'usr/local/lib/node_modules');
  mkdirSync(modules, { recursive: true });
  const npm = realpathSync(output('which', ['npm']));
  cpSync(join(npm, '../..'), join(modules, 'npm'), {
    recursive: true,
    dereference: true,
  });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
}

/**
 * Runs the instructions of a stage in a root, which becomes the stage's.
 * @param stages the roots of earlier stages, by their name
 */
export function buildStage({ instructions }: Stage, root: string, stages: ReadonlyMap<string, Built>): Built {
  const isSent = createContextFilter(readFileSync('.dockerignore', 'utf8'));
  const built = { env: {} as Record<string, string>, folder: '/', user: 'root' };
  let command: string[] = [];
  let healthCheck: string[] = [];
  const volumes: string[] = [];
  for (const instruction of instructions) {
    const { name, text } = instruction;
    if (name === 'WORKDIR') {
      built.folder = text;
      mkdirSync(join(root, text), { recursive: true });
    } else if (name === 'ENV') {
      const [variable = '', value = ''] = text.split(/=(.*)/s);
      built.env[variable] = value;
    } else if (name === 'USER') built.user = text;
    else if (name === 'VOLUME') volumes.push(...commandOf(instruction));
    else if (name === 'CMD') command = commandOf(instruction);
    else if (name === 'HEALTHCHECK') healthCheck = commandOf(instruction);
    else if (name === 'COPY') copy(text, join(root, built.folder), stages, isSent);
    else if (name === 'RUN')
      runIn({ ...built, root }, ['sh', '-c', `cd ${built.folder} && ${text}`], npmEnv());
  }
  return { root, ...built, command, healthCheck, volumes };
}

function copy(
  text: string,
  folder: string,
  stages: ReadonlyMap<string, Built>,
  isSent: (path: string) => boolean,
): void {
  const [, from, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(text) ?? [];
  const sources = paths.split(' ');
  const target = sources.pop() ?? '';
  for (const source of sources) {
    const path = from === undefined ? source : join(stages.get(from)?.root ?? '', source);
    const to = target.endsWith('/') ? join(folder, target, basename(source)) : join(folder, target);
    cpSync(path, to, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (one) => from !== undefined || isSent(one),
    });
  }
}

/** @throws with its output where it does not end with 0 */
export function runIn(
  image: Pick<Built, 'root' | 'env' | 'user'>,
  command: string[],
  more: Record<string, string> = {},
) {
  const { status, stdout, stderr } = spawnSync('unshare', enter(image, command, more), {
    encoding: 'utf8',
    env: outside(),
  });
  assert.equal(status, 0, `${command.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

/** Starts a command as the first process of its own. */
export function startIn(image: Built, command: string[], more: Record<string, string>): ChildProcess {
  const args = [
    '--pid',
    '--fork',
    '--kill-child',
    ...enter(image, ['sh', '-c', `cd ${image.folder} && exec "$@"`, 'sh', ...command], more),
  ];
  return spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'], env: outside() });
}

function enter(
  { root, env, user }: Pick<Built, 'root' | 'env' | 'user'>,
  command: string[],
  more: Record<string, string>,
): string[] {
  const variables = Object.entries({ PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', ...env, ...more });
  const group = user === 'root' ? 'root' : user;
  return [
    ...['--mount', 'sh', '-c', ENTER, 'sh', resolve(root), `${user}:${group}`],
    ...['env', '-i', ...variables.map(([name, value]) => `${name}=${value}`), ...command],
  ];
}

/** This machine's certificates, which a proxy of its network may need. */
function outside(): Record<string, string> {
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  return { PATH: process.env.PATH ?? '', CERTIFICATES: certificates ? resolve(certificates, '..') : '' };
}

/** What npm needs to reach the registry that this machine uses. */
export function npmEnv(): Record<string, string> {
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  return {
    HOME: '/root',
    npm_config_registry: output('npm', ['config', 'get', 'registry']),
    ...(certificates ? { NODE_EXTRA_CA_CERTS: `/mnt/${basename(certificates)}` } : {}),
  };
}

function release(): string {
  return /^VERSION_CODENAME=(\S+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? '';
}

function mirror(): string | undefined {
  const targets = output('apt-get', ['indextargets', '--format', '$(CREATED_BY) $(CODENAME) $(REPO_URI)']);
  const lines = targets.split('\n').map((line) => line.split(' '));
  return lines.find(([kind, name]) => kind === 'Packages' && name === release())?.[2];
}

function output(program: string, args: string[]): string {
  return spawnSync(program, args, { encoding: 'utf8', cwd: '/' }).stdout.trim();
}

function run(program: string, args: string[]): void {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  assert.equal(status, 0, `${program}\n${stdout}${stderr}`);
}
