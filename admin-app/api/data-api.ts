/**
 * Requests to the data API as supabase-js sends them, without supabase-js: the dashboard's first rows wait for them, and its client
 * of the data API is 4 KB.
 */
import { fetchInTime } from './fetch-in-time.ts';

interface DataRequest {
  /** Absent: GET. */
  readonly method?: 'PATCH' | 'POST';
  readonly body?: object;
  readonly signal?: AbortSignal | undefined;
}

export interface DataResponse {
  /** 0 without a response. */
  readonly status: number;
  /** Null of an empty response, undefined of one that is no JSON; without a response, the reason. */
  readonly body: unknown;
}

/** @param path below `/rest/v1/`, with its query. A change responds with what it changed. */
export type RequestData = (path: string, request?: DataRequest) => Promise<DataResponse>;

/**
 * @param url of the project
 * @param key the publishable one
 * @param readToken of the session; undefined without one
 */
export function createDataApi(
  url: string,
  key: string,
  readToken: () => Promise<string | undefined>,
  fetch = fetchInTime,
): RequestData {
  return async (path, { method, body, signal } = {}) => {
    try {
      const token = await readToken();
      const response = await fetch(`${url}/rest/v1/${path}`, {
        headers: {
          apikey: key,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          // Of a project whose data API has another schema first.
          [method ? 'content-profile' : 'accept-profile']: 'public',
          ...(body && { 'content-type': 'application/json' }),
          ...(method === 'PATCH' && { prefer: 'return=representation' }),
        },
        ...(method && { method }),
        ...(body && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : parse(text) };
    } catch (error) {
      return { status: 0, body: error };
    }
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
