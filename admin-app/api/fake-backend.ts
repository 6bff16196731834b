/** For tests: the real supabase-js, and the data API beside it, with a function in place of the server. */
import { createClient } from '@supabase/supabase-js';
import { createDataApi } from './data-api.ts';

interface BackendRequest {
  method: string;
  url: URL;
  headers: Headers;
  body: unknown;
}

const URL_OF_PROJECT = 'http://backend.test';
const KEY = 'sb_publishable_test';

export function clientOf(respond: (request: BackendRequest) => Response | Promise<Response>) {
  const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const text = await request.text();
    return respond({
      method: request.method,
      url: new URL(request.url),
      headers: request.headers,
      body: text && JSON.parse(text),
    });
  };
  const client = createClient(URL_OF_PROJECT, KEY, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch },
  });
  const readToken = async () => (await client.auth.getSession()).data.session?.access_token;
  return Object.assign(client, { requestData: createDataApi(URL_OF_PROJECT, KEY, readToken, fetch) });
}
