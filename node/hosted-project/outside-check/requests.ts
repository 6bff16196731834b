/** Requests with the public key, as visitors and the administrator send them. */

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
  more: { body?: unknown; headers?: Readonly<Record<string, string>> },
) => Promise<CheckedResponse>;

/** Time for one request, in milliseconds: the first call of a function starts it. */
const TIMEOUT_MS = 30_000;

export function createSend({ url, publishableKey }: { url: string; publishableKey: string }): Send {
  return async (method, path, { body, headers }) => {
    try {
      const response = await fetch(`${url}${path}`, {
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

/** The code of an error, of the functions or of the data API. */
export function codeOf({ json }: CheckedResponse): unknown {
  return ((json ?? {}) as { code?: unknown }).code;
}
