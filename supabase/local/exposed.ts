/**
 * What of the embedded backend can be reached. lite answers more than this product needs (sign-up by one-time code
 * even with sign-ups off, its studio, a description of the schema), so only the routes below get through.
 */

/** Routes for anyone with the public key. Row level security decides what they see. */
const PUBLIC_ROUTES: Route[] = [
  { methods: ['GET', 'HEAD', 'PATCH', 'POST', 'PUT', 'DELETE'], path: /^\/rest\/v1\/(?:rpc\/)?\w+$/ },
  { methods: ['POST'], path: /^\/auth\/v1\/token$/, query: { grant_type: 'refresh_token' } },
  { methods: ['GET'], path: /^\/auth\/v1\/user$/ },
  { methods: ['POST'], path: /^\/auth\/v1\/logout$/ },
];

/** Further routes for the functions, which send the secret key: signing in goes through `admin-auth` alone. */
const SERVICE_ROUTES: Route[] = [
  { methods: ['POST'], path: /^\/auth\/v1\/token$/, query: { grant_type: 'password' } },
];

interface Route {
  methods: string[];
  path: RegExp;
  query?: Record<string, string>;
}

/**
 * The longest query, in characters; the desk's has 300. lite reads filters within filters in the square of their length:
 * of 16,000 characters for half a second, during which nobody else is answered.
 */
export const MAX_QUERY = 1_024;

/** Counts of these kinds are the planner's, which knows how many rows there are and not who may see them. */
export function asksPlanner(headers: Headers): boolean {
  return /\bcount=(?:planned|estimated)\b/i.test(headers.get('prefer') ?? '');
}

/** Whether a request may reach lite at all. `method` in capitals, `url` absolute. */
export function isExposed(method: string, url: URL, hasSecretKey: boolean): boolean {
  const routes = hasSecretKey ? [...PUBLIC_ROUTES, ...SERVICE_ROUTES] : PUBLIC_ROUTES;
  return routes.some(
    (route) =>
      (route.methods.includes(method) || method === 'OPTIONS') &&
      route.path.test(url.pathname) &&
      Object.entries(route.query ?? {}).every(([name, value]) => url.searchParams.get(name) === value),
  );
}
