/** The product as the suite abuses it: every answer and the whole log are searched for what must not be there. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answer, type Ask, exchange, jsonOf } from '../support/exchange.ts';
import { ADMIN, type Product, PUBLIC_KEY, startProduct } from '../support/product.ts';
import { assertTight, assertTightLog, secretsOf } from './leaks.ts';

export interface AbusedProduct extends Product {
  /** Asks, and looks at the answer for secrets and for planted data. */
  ask(ask: Ask): Promise<Answer>;
  /** The same with the public key, and JSON unless the headers say otherwise. */
  call(name: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Asks as somebody who may see offers. */
  askAsAdministrator(ask: Ask): Promise<Answer>;
}

export interface AbuseOptions {
  env?: Record<string, string>;
  /** Absent: a copy of the booted one, removed at the end. */
  dataDir?: string;
}

export async function startAbused({ env = {}, dataDir }: AbuseOptions = {}): Promise<AbusedProduct> {
  const folder = dataDir ?? newDataFolder();
  const product = await startProduct({ env: { RATE_LIMIT_SCALE: '1000000', ...env }, dataDir: folder });
  const secrets = secretsOf(folder);
  const ask = async (asked: Ask) => {
    const answer = await exchange(product.port, asked);
    assertTight(headersAndText(answer), secrets, `the answer to ${asked.method ?? 'GET'} ${asked.path}`);
    return answer;
  };
  let session: Promise<string> | undefined;
  return {
    ...product,
    ask,
    call: (name, body, headers = {}) => ask(functionCall(name, body, headers)),
    askAsAdministrator: async (asked) => {
      session ??= signIn(product.port);
      const authorization = `Bearer ${await session}`;
      const answer = await exchange(product.port, {
        ...asked,
        headers: { apikey: PUBLIC_KEY, authorization, ...asked.headers },
      });
      assertTight(headersAndText(answer), secrets, `the administrator's answer to ${asked.path}`, true);
      return answer;
    },
    stop: async () => {
      const code = await product.stop();
      assertTightLog(product.log(), secrets, 'the log');
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
}

/** A folder for a product's data: after its first boot, where the runner made one. */
export function newDataFolder(place = tmpdir()): string {
  const folder = mkdtempSync(join(place, 'abused-'));
  const booted = process.env.ABUSE_BOOTED_DATA;
  if (booted) cpSync(booted, folder, { recursive: true });
  return folder;
}

/** A call of one of the functions. A text or bytes are sent as they are, anything else as JSON. */
export function functionCall(name: string, body: unknown, headers: Record<string, string> = {}): Ask {
  return {
    method: 'POST',
    path: `/functions/v1/${name}`,
    headers: { apikey: PUBLIC_KEY, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : (JSON.stringify(body) ?? ''),
  };
}

/** An administrator's access token. */
export async function signIn(port: number): Promise<string> {
  const answer = await exchange(port, functionCall('admin-auth', ADMIN));
  const { session } = jsonOf(answer) as { session?: { access_token: string } };
  if (session === undefined) throw new Error(`signing in answered ${answer.status}`);
  return session.access_token;
}

function headersAndText({ headers, text }: Answer): string {
  return `${JSON.stringify(headers)}\n${text}`;
}
