/** A loopback Management API: records what the Supabase CLI uploads and changes, and responds as an active project. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export const REF = 'abcdefghijklmnopqrst';

interface ApiRequest {
  readonly method: string;
  /** With the query, after `/v1/projects/REF`. */
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

export interface ManagementApi {
  readonly url: string;
  readonly requests: ApiRequest[];
  /** Auth's settings as the project has them; a PATCH changes them. */
  readonly auth: Record<string, unknown>;
  readonly dataApi: Record<string, unknown>;
  /** Called for each request; a response from here is sent instead, `none` leaves it without one. */
  onRequest(call: string): { status: number; body: string } | 'none' | undefined;
  close(): void;
}

const ID = '11111111-1111-4111-8111-111111111111';

export async function startManagementApi(): Promise<ManagementApi> {
  const requests: ApiRequest[] = [];
  // A new project's defaults, except that somebody switched email sign-in off.
  const auth = {
    disable_signup: false,
    external_email_enabled: false,
    external_anonymous_users_enabled: false,
    jwt_exp: 3600,
    password_min_length: 6,
  };
  const dataApi = {
    db_schema: 'public,graphql_public',
    max_rows: 1000,
    db_extra_search_path: 'public, extensions',
    db_pool: null,
    db_pool_acquisition_timeout: 10,
    db_pool_max_lifetime: null,
    db_pool_max_idletime: null,
  };
  const secrets: { name: string; value: string }[] = [{ name: 'SMTP_URL', value: 'old' }];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const url = new URL(request.url ?? '', 'http://localhost');
    const path = `${url.pathname}${url.search}`.replace(/^\/v\d\/projects\/[a-z]{20}/, '');
    requests.push({ method: request.method ?? '', path, type: request.headers['content-type'] ?? '', body });
    const call = `${request.method} ${url.pathname.replace(/^\/v\d\/projects\/[a-z]{20}/, '')}`;
    const wrong = api.onRequest(call);
    if (wrong === 'none') return;
    if (wrong) {
      response.writeHead(wrong.status).end(wrong.body);
      return;
    }
    const [status, value] = respond(call, url, body);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const api: ManagementApi = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    auth,
    dataApi,
    onRequest: () => undefined,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return api;

  function respond(call: string, url: URL, body: Buffer): [number, unknown] {
    const slug = url.searchParams.get('slug') ?? '';
    switch (call) {
      case 'GET ':
        return [200, project()];
      case 'GET /api-keys':
        return [200, [{ name: 'default', api_key: 'sb_publishable_x', type: 'publishable', id: ID }]];
      case 'GET /billing/addons':
        return [200, { selected_addons: [], available_addons: [] }];
      case 'GET /config':
        return [200, { data: { type: 'project_config', id: REF, attributes: { auth, api: dataApi } } }];
      case 'PATCH /config/auth':
        return [200, Object.assign(auth, JSON.parse(String(body)))];
      case 'PATCH /postgrest':
        return [200, Object.assign(dataApi, JSON.parse(String(body)))];
      case 'GET /secrets':
        return [200, secrets];
      case 'POST /secrets':
        return [201, {}];
      case 'DELETE /secrets':
        return [200, {}];
      case 'GET /functions':
        return [200, []];
      case 'POST /functions/deploy':
        return [201, uploaded(slug, body)];
      case 'PUT /functions':
        return [200, { functions: JSON.parse(String(body)) }];
      case 'POST /database/query':
        return [201, []];
      default:
        return [404, { message: `no ${call}` }];
    }
  }
}

function project() {
  return {
    id: REF,
    ref: REF,
    organization_id: 'o',
    organization_slug: 'o',
    name: 'storefront',
    region: 'eu-central-1',
    created_at: '2026-01-01T00:00:00Z',
    status: 'ACTIVE_HEALTHY',
    database: {
      host: `db.${REF}.localhost`,
      version: '17.6.1',
      postgres_engine: '17',
      release_channel: 'ga',
    },
  };
}

/** As the platform keeps it: with what the upload's metadata says. */
function uploaded(slug: string, body: Buffer) {
  const metadata = metadataOf(body);
  return {
    id: ID,
    slug,
    name: slug,
    status: 'ACTIVE',
    version: 1,
    created_at: 1,
    updated_at: 1,
    verify_jwt: metadata.verify_jwt,
    import_map: metadata.import_map_path !== undefined,
    entrypoint_path: metadata.entrypoint_path,
    import_map_path: metadata.import_map_path,
  };
}

export interface Metadata {
  verify_jwt?: boolean;
  import_map_path?: string;
  entrypoint_path?: string;
}

/** The JSON part of an upload. */
export function metadataOf(body: Buffer): Metadata {
  const part = /name="metadata"[^\r]*(?:\r\n[^\r]+)*\r\n\r\n(.*?)\r\n--/s.exec(body.toString('latin1'))?.[1];
  return JSON.parse(part ?? '{}') as Metadata;
}

/** Paths of the files of an upload. */
export function filesOf(body: Buffer): string[] {
  return [...body.toString('latin1').matchAll(/name="file"; filename="([^"]+)"/g)]
    .map(([, name = '']) => name)
    .sort();
}
