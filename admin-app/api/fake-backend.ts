/** For tests: the real supabase-js with a function in place of the server. */
import { createClient } from '@supabase/supabase-js';

interface BackendRequest {
  method: string;
  url: URL;
  headers: Headers;
  body: unknown;
}

export function clientOf(respond: (request: BackendRequest) => Response | Promise<Response>) {
  return createClient('http://backend.test', 'sb_publishable_test', {
    auth: { persistSession: false, autoRefreshToken: false },
    global: {
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const text = await request.text();
        return respond({
          method: request.method,
          url: new URL(request.url),
          headers: request.headers,
          body: text && JSON.parse(text),
        });
      },
    },
  });
}
