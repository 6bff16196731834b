/** Requests with the public key, as visitors and the administrator send them, and what is found in the responses. */

import type { HostedProject } from '../../../server/backend-client/project.ts';

export interface OutsideCheckOptions {
  readonly url: string;
  readonly publishableKey: string;
  /** The same project with the secret key, which reads its rights and erases the offer. */
  readonly project: HostedProject;
  /** An origin whose pages make offers, such as `https://lap.app`, and that of the admin host. */
  readonly siteOrigin: string;
  readonly adminOrigin: string;
  /** A domain that is for sale; undefined where none is. */
  readonly domain: string | undefined;
  /** Turnstile is the bot check of the pages. */
  readonly usesTurnstile: boolean;
  /** Undefined where the password is not known. */
  readonly administrator: { readonly email: string; readonly password: string } | undefined;
}

export interface CheckedResponse {
  /** 0: no response. */
  readonly status: number;
  readonly headers: Headers;
  /** Undefined where the body is no JSON. */
  readonly json: unknown;
}

export type Send = (
  method: string,
  path: string,
  more?: { body?: unknown; headers?: Readonly<Record<string, string>> },
) => Promise<CheckedResponse>;

/** `why`: what was wrong and what to do, or the reason why the check was left out. */
export interface Finding {
  readonly status: 'passed' | 'failed' | 'left out';
  readonly what: string;
  readonly why?: string | undefined;
}

/** Time for one request, in milliseconds: the first call of a function starts it. */
const TIMEOUT_MS = 30_000;

export const DEPLOY = 'Run npm run deploy:backend again.';

export function createSend({
  url,
  publishableKey,
}: Pick<OutsideCheckOptions, 'url' | 'publishableKey'>): Send {
  return async (method, path, { body, headers } = {}) => {
    try {
      const response = await fetch(url + path, {
        method,
        redirect: 'error',
        headers: {
          apikey: publishableKey,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, json: parseJson(text) };
    } catch (error) {
      const { message, cause } = error as Error & { cause?: Error };
      return { status: 0, headers: new Headers(), json: { message: cause?.message ?? message } };
    }
  };
}

/** Undefined where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error message of a response. */
export function messageOf({ json }: CheckedResponse): string {
  const { error, message, msg } = (json ?? {}) as Record<string, unknown>;
  return String(error ?? message ?? msg ?? 'no message').slice(0, 200);
}

/** The code of an error, of the functions or of the data API; empty where it has none. */
export function codeOf({ json }: CheckedResponse): string {
  return String(((json ?? {}) as { code?: unknown }).code ?? '');
}

/** @param why undefined where the check passed */
export function finding(what: string, why: string | undefined): Finding {
  return { status: why === undefined ? 'passed' : 'failed', what, why };
}

/** Describes a response that should be 401 or 403. */
export function rejectedProblem(response: CheckedResponse): string | undefined {
  const { status } = response;
  if (status === 401 || status === 403) return undefined;
  if (status === 404) {
    return `The project does not know it: its migrations are not applied, or its data API has not reloaded yet. ${DEPLOY}`;
  }
  if (status === 0 || status >= 500) return unavailable(response);
  return `It responded with ${status} instead of 401 or 403: a grant is too wide. ${DEPLOY}`;
}

/** Describes another response of a function than it should send. */
export function functionProblem(response: CheckedResponse, name: string): string {
  const { status } = response;
  if (status === 404) return `The function ${name} is not deployed. ${DEPLOY}`;
  if (status === 401) {
    return `The platform requires a token before the function runs (verify_jwt; ${messageOf(response)}). ${DEPLOY}`;
  }
  if (status === 503) {
    return `${unavailable(response)} Perhaps no catalogue is published (npm run build), or a secret is wrong (see the function’s log).`;
  }
  if (status === 0 || status > 503) return unavailable(response);
  return `It responded with ${status} (${messageOf(response)}) to the public key. ${DEPLOY}`;
}

export function unavailable(response: CheckedResponse): string {
  return response.status === 0
    ? `There was no response (${messageOf(response)}). Check SUPABASE_URL, and that the project is not paused.`
    : `It responded with ${response.status}: ${messageOf(response)}`;
}
