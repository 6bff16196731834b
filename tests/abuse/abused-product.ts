/** The product under attack: every response and the log are searched for secrets and personal data. */
import { rmSync } from 'node:fs';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { type HttpRequest, type HttpResponse, jsonOf, sendRequest } from '../support/http-client.ts';
import { ADMIN, type ProductProcess, PUBLIC_KEY, startProductProcess } from '../support/product.ts';
import { assertNoSecrets, assertNoSecretsInLog, secretsOf } from './leaks.ts';

export interface AbusedProduct extends ProductProcess {
  /** Sends a request and searches the response for secrets and planted data. */
  request(sent: HttpRequest): Promise<HttpResponse>;
  /** The same with the public key, and JSON unless the headers name another type. */
  call(name: string, body: unknown, headers?: Record<string, string>): Promise<HttpResponse>;
  /** Sends a request with an administrator's session. */
  requestAsAdmin(request: HttpRequest): Promise<HttpResponse>;
}

/** The limits as they are, behind a proxy, through which only ADMIN_HOST has the sign-in. */
export const BEHIND_PROXY = { RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '1', ADMIN_HOST: 'admin.example' };

export interface AbuseOptions {
  env?: Record<string, string>;
  /** Absent: a copy of the booted one, removed at the end. */
  dataDir?: string;
  /** The project's folder: see `copyOfProject`. */
  project?: string;
}

export async function startAbused({ env = {}, dataDir, project }: AbuseOptions = {}): Promise<AbusedProduct> {
  const folder = dataDir ?? newDataFolder();
  const product = await startProductProcess({
    env: { RATE_LIMIT_SCALE: '1000000', ...env },
    dataDir: folder,
    isBreakable: true,
    ...(project === undefined ? {} : { project }),
  });
  const secrets = secretsOf(folder);
  const request = async (sent: HttpRequest) => {
    const response = await sendRequest(product.port, sent);
    assertNoSecrets(
      headersAndText(response),
      secrets,
      `the response to ${sent.method ?? 'GET'} ${sent.path}`,
    );
    return response;
  };
  let session: Promise<string> | undefined;
  return {
    ...product,
    request,
    call: (name, body, headers = {}) => request(functionCall(name, body, headers)),
    requestAsAdmin: async (sent) => {
      session ??= signIn(product.port).catch((error) => {
        // Tried again by the next request: this one may have met an outage.
        session = undefined;
        throw error;
      });
      const authorization = `Bearer ${await session}`;
      const response = await sendRequest(product.port, {
        ...sent,
        headers: { apikey: PUBLIC_KEY, authorization, ...sent.headers },
      });
      assertNoSecrets(
        headersAndText(response),
        secrets,
        `the administrator's response to ${sent.path}`,
        true,
      );
      return response;
    },
    stop: async () => {
      const code = await product.stop();
      assertNoSecretsInLog(product.log(), secrets, 'the log');
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
}

/** A call of one of the functions. A text or bytes are sent as they are, anything else as JSON. */
export function functionCall(name: string, body: unknown, headers: Record<string, string> = {}): HttpRequest {
  return {
    method: 'POST',
    path: `/functions/v1/${name}`,
    headers: { apikey: PUBLIC_KEY, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : (JSON.stringify(body) ?? ''),
  };
}

/** An administrator's access token. */
export async function signIn(port: number): Promise<string> {
  const response = await sendRequest(port, functionCall('admin-auth', ADMIN));
  const { session } = jsonOf(response) as { session?: { access_token: string } };
  if (session === undefined) throw new Error(`sign-in failed with ${response.status}`);
  return session.access_token;
}

function headersAndText({ headers, text }: HttpResponse): string {
  return `${JSON.stringify(headers)}\n${text}`;
}
