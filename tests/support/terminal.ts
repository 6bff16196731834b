/** Runs the product's commands as in a terminal, and checks their output. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { request as send } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { BASE_ENV } from './base-environment.ts';
import { callFunction } from './calls.ts';
import { ADMIN, type Product } from './product.ts';

export const NODE = resolve('node_modules/.bin/node');

/** Holds all folders of a test file; removed when it ends. */
const TEMPORARY_FOLDER = mkdtempSync(join(tmpdir(), 'terminal-'));
// Another user may pass through it to a folder that is not his.
chmodSync(TEMPORARY_FOLDER, 0o711);
process.once('exit', () => rmSync(TEMPORARY_FOLDER, { recursive: true, force: true }));

export interface ToolResult {
  code: number | null;
  /** Standard output and error, trimmed. */
  text: string;
}

/**
 * Runs one of the project's programs to its end.
 * @param cwd the clone's folder; absent: this one
 * @param input for standard input; absent: none
 */
export function runTool(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
  cwd = '.',
  input = '',
): ToolResult {
  const { status, stdout, stderr } = spawnSync(
    NODE,
    ['--disable-warning=ExperimentalWarning', file, ...args],
    {
      cwd,
      env: { ...BASE_ENV, ...env },
      encoding: 'utf8',
      input,
    },
  );
  return { code: status, text: `${stdout}${stderr}`.trim() };
}

/**
 * Runs one of the project's programs at a pseudo-terminal, with util-linux's `script`.
 * @param respond what is typed at a prompt: called once, with the output up to it
 */
export async function runAtTerminal(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
  { prompt, respond }: { prompt: string; respond: (output: string) => string },
): Promise<ToolResult> {
  const command = [NODE, '--disable-warning=ExperimentalWarning', file, ...args];
  const child = spawn('script', ['-qec', command.map((part) => `'${part}'`).join(' '), '/dev/null'], {
    env: { ...BASE_ENV, ...env },
  });
  let text = '';
  let isTyped = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (isTyped || !text.includes(prompt)) return;
      isTyped = true;
      child.stdin.write(`${respond(text)}\n`);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text: stripVTControlCharacters(text).replaceAll('\r', '').trim() };
}

/** Asserts that the output is one line without a stack trace. */
export function assertOutput({ code, text }: ToolResult, wantedCode: number, wanted: RegExp): void {
  assert.match(text, wanted);
  assert.doesNotMatch(text, /\n/);
  assert.equal(code, wantedCode);
}

/** A new, empty folder. */
export function newFolder(): string {
  return mkdtempSync(join(TEMPORARY_FOLDER, 'data-'));
}

export function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

export async function signInStatus(product: Product, password: string): Promise<number> {
  return (await callFunction(product, 'admin-auth', { email: ADMIN.email, password })).status;
}

/** Fetches a page's HTML with the Host header given, which need not resolve to this machine. */
export function fetchPage(port: number, host: string, path = '/'): Promise<string> {
  return new Promise((done, fail) => {
    const sent = send({ port, path, headers: { host: `${host}:${port}` } }, async (response) => {
      done((await response.setEncoding('utf8').toArray()).join(''));
    });
    sent.on('error', fail).end();
  });
}

/** The page's headline, whatever stands between its words. */
export function headlineOf(domain: string | undefined): RegExp {
  const words = domain === undefined ? 'Own a Premium Domain' : `Own ${domain} Domain`;
  return new RegExp(words.replaceAll('.', '(?:<[^>]*>)*\\.(?:<[^>]*>)*').replaceAll(' ', '(?:\\s|<[^>]*>)+'));
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * Polls a condition, for at most a minute.
 * @param intervalMs longer for a condition that takes processor time
 */
export async function waitUntil(
  isSo: () => boolean | Promise<boolean>,
  explanation = '',
  intervalMs = 50,
): Promise<void> {
  for (const end = Date.now() + 60_000; !(await isSo()); await pause(intervalMs)) {
    assert.ok(Date.now() < end, `not within a minute: ${isSo}\n${explanation}`);
  }
}

/** Waits until a product that was sent a signal has closed its port. */
export function untilNobodyListens(port: number): Promise<void> {
  return waitUntil(
    () =>
      new Promise((done) => {
        const socket = connect(port, '127.0.0.1', () => done(!socket.destroy())).on('error', () =>
          done(true),
        );
      }),
  );
}
