/** The product's commands as somebody at a terminal runs them, and what they say. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { callFunction } from './calls.ts';
import { ADMIN, type Product } from './product.ts';

export const NODE = resolve('node_modules/.bin/node');
/** Nothing of this process's settings. */
export const PLAIN = { PATH: process.env.PATH, HOME: process.env.HOME };

/** All folders of one run of a test file; gone when it ends. */
const FOLDERS = mkdtempSync(join(tmpdir(), 'terminal-'));
// Another user may pass through it to a folder that is not his.
chmodSync(FOLDERS, 0o711);
process.once('exit', () => rmSync(FOLDERS, { recursive: true, force: true }));

export interface Outcome {
  code: number | null;
  /** What it said, without the empty lines around it. */
  text: string;
}

/** Runs one of the project's programs to its end. @param cwd the project's folder; absent: this one */
export function runTool(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
  cwd = '.',
): Outcome {
  const { status, stdout, stderr } = spawnSync(
    NODE,
    ['--disable-warning=ExperimentalWarning', file, ...args],
    {
      cwd,
      env: { ...PLAIN, ...env },
      encoding: 'utf8',
    },
  );
  return { code: status, text: `${stdout}${stderr}`.trim() };
}

/** One sentence or two on one line, and no stack. */
export function assertSays({ code, text }: Outcome, wantedCode: number, wanted: RegExp): void {
  assert.match(text, wanted);
  assert.doesNotMatch(text, /\n/);
  assert.equal(code, wantedCode);
}

/** A new, empty folder. */
export function newFolder(): string {
  return mkdtempSync(join(FOLDERS, 'data-'));
}

export function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

export async function signInStatus(product: Product, password: string): Promise<number> {
  return (await callFunction(product, 'admin-auth', { email: ADMIN.email, password })).status;
}

/** A page's HTML, asked for under a host name that need not lead here. */
export function pageAt(port: number, host: string, path = '/'): Promise<string> {
  return new Promise((done, fail) => {
    const asked = send({ port, path, headers: { host: `${host}:${port}` } }, async (response) => {
      done((await response.setEncoding('utf8').toArray()).join(''));
    });
    asked.on('error', fail).end();
  });
}

/** The page's headline, whatever stands between its words. */
export function headlineOf(domain: string | undefined): RegExp {
  const words = domain === undefined ? 'Own a Premium Domain' : `Own ${domain} Domain`;
  return new RegExp(words.replaceAll('.', '(?:<wbr/?>)?\\.').replaceAll(' ', '(?:\\s|<[^>]*>)+'));
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Asks again and again, for a minute at most. */
export async function until(isSo: () => boolean | Promise<boolean>, explanation = ''): Promise<void> {
  for (const end = Date.now() + 60_000; !(await isSo()); await pause(50)) {
    assert.ok(Date.now() < end, `not within a minute: ${isSo}\n${explanation}`);
  }
}
