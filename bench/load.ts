/** Loads a server with requests: its process on one core, wrk on the other. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cpuOf } from './cost.ts';
import { sum } from './rows.ts';

const LOAD_SECONDS = 3;
/** Concurrent connections. */
const CONNECTIONS = 32;
export const SERVER_CORE = '0';
const LOAD_CORE = '1';
export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export interface Load {
  readonly perSecond: number;
  /** Processor time of the server for one request, in microseconds. */
  readonly cpu: number;
}

/** Does not block this process, whose own connections would be closed meanwhile. */
export async function load(
  port: number,
  pids: number[],
  encoding: Encoding,
  pages: string | string[],
): Promise<Load> {
  const before = sum(pids.map(cpuOf));
  const path = typeof pages === 'string' ? pages : '/';
  const script = typeof pages === 'string' ? undefined : randomPages(pages);
  const { stdout } = await promisify(execFile)('taskset', [
    ...['-c', LOAD_CORE, 'wrk', '-t1', `-c${CONNECTIONS}`, `-d${LOAD_SECONDS}s`],
    ...['-H', `Accept-Encoding: ${encoding}`],
    ...(script === undefined ? [] : ['-s', script]),
    `http://127.0.0.1:${port}${path}`,
  ]);
  if (script !== undefined) rmSync(dirname(script), { recursive: true });
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`Some requests failed:\n${stdout}`);
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  return { perSecond, cpu: ((sum(pids.map(cpuOf)) - before) / requests) * 1e6 };
}

/** A Lua script for wrk. The seed is fixed, so that both servers get the same requests. */
function randomPages(names: string[]): string {
  const file = join(mkdtempSync(join(tmpdir(), 'wrk-')), 'pages.lua');
  const list = names.map((name) => JSON.stringify(`/sites/${name}/`)).join(',');
  const script = `local pages = {${list}}\nmath.randomseed(1)\nrequest = function() return wrk.format(nil, pages[math.random(#pages)]) end\n`;
  writeFileSync(file, script);
  return file;
}

/** Pins all threads of a running process to the server's core. */
export function pin(pid: number): void {
  execFileSync('taskset', ['-a', '-cp', SERVER_CORE, String(pid)], { stdio: 'ignore' });
}
