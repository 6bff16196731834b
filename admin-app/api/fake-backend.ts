/** For tests: the real supabase-js, whose requests a function answers instead of a server. */
import { createClient } from '@supabase/supabase-js';

interface Asked {
  method: string;
  url: URL;
  headers: Headers;
  body: unknown;
}

export function clientOf(answer: (asked: Asked) => Response | Promise<Response>) {
  return createClient('http://backend.test', 'sb_publishable_test', {
    auth: { persistSession: false, autoRefreshToken: false },
    global: {
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const text = await request.text();
        return answer({
          method: request.method,
          url: new URL(request.url),
          headers: request.headers,
          body: text && JSON.parse(text),
        });
      },
    },
  });
}
