/** The check from outside against a stand-in for a hosted project that is right, and that has one defect each. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addAdministrator } from '../../../server/backend-client/administrators.ts';
import { type HostedProject, openHosted } from '../../../server/backend-client/project.ts';
import { BACKEND_ROUTES } from '../../../server/http/backend-routes.ts';
import { type HostedStandIn, startHostedStandIn } from '../../../tests/support/hosted-stand-in.ts';
import { NO_POSTGREST } from '../../../tests/support/postgrest.ts';
import { checkFromOutside } from './check-from-outside.ts';
import { ADMINISTRATOR_REQUESTS } from './expected-access.ts';
import type { OutsideCheckOptions } from './requests.ts';

let standIn: HostedStandIn;
let project: HostedProject;
let options: OutsideCheckOptions;
describe('the check from outside', { skip: NO_POSTGREST }, () => {
  before(async () => {
    standIn = await startHostedStandIn();
    project = openHosted(standIn);
    options = {
      ...standIn,
      project,
      siteOrigin: 'https://lap.app',
      adminOrigin: 'https://names.example',
      domain: 'lap.app',
      usesTurnstile: false,
      administrator: undefined,
    };
    await publish(project);
  });
  after(() => standIn.stop());

  async function publish(to: HostedProject): Promise<void> {
    const entries = [{ name: 'lap.app', state: 'for_sale' }];
    await to.call('publish_listings', { entries, hosts: ['names.example'], keep_previous: false });
  }

  /** Runs the check. Returns what did not pass, a line each. */
  async function problems(change: Partial<OutsideCheckOptions> = {}): Promise<string[]> {
    const found = await Array.fromAsync(checkFromOutside({ ...options, ...change }));
    return found.flatMap((one) =>
      one.status === 'passed' ? [] : [`${one.status}: ${one.what}: ${one.why}`],
    );
  }

  test('the check passes on a project that is right, and leaves no offer', async () => {
    const administrator = await addAdministrator(project, 'check@example.com');
    assert.deepEqual(await problems({ administrator }), []);
    assert.equal(await project.call('count_offers', {}), 0);
  });

  const PLATFORM_401 = { code: 'UNAUTHORIZED_NO_AUTH_HEADER', message: 'Missing authorization header' };

  /** What each check meets: the wrong response of a path, and what is found. */
  const RESPONSE_DEFECTS: readonly (readonly [
    path: string,
    status: number,
    json: unknown,
    wanted: RegExp,
  ])[][] = [
    [
      [
        '/auth/v1/settings',
        200,
        { disable_signup: false, external: { email: true } },
        /can create an account/,
      ],
      ['/functions/v1/deliver', 401, PLATFORM_401, /deliver.*verify_jwt; Missing authorization.*Run npm run/],
      ['/functions/v1/order-submit', 401, PLATFORM_401, /order-submit: rejects an empty.*verify_jwt/],
      ['/functions/v1/admin-auth', 404, { code: 'NOT_FOUND' }, /The function admin-auth is not deployed/],
      [
        '/functions/v1/bot-check?show=provider',
        400,
        { code: 'missing' },
        /of an older version than the pages/,
      ],
      ['/rest/v1/admins', 401, { code: '42501' }, /private is not exposed.*expose the schema public only/],
    ],
    [
      [
        '/auth/v1/settings',
        200,
        { disable_signup: true, external: { email: true, anonymous_users: true } },
        /can create an account/,
      ],
      ['/functions/v1/deliver', 404, { code: 'NOT_FOUND' }, /The function deliver is not deployed/],
      ['/functions/v1/bot-check?show=provider', 200, { provider: 'turnstile' }, /functions expect Turnstile/],
    ],
    [
      [
        '/auth/v1/settings',
        200,
        { disable_signup: true, external: { email: false } },
        /email provider is off/,
      ],
    ],
    [['/auth/v1/settings', 540, undefined, /responded with 540.* The other checks were not made/]],
  ];

  test('the check names each defect of the platform’s settings and functions', async (context) => {
    const real = globalThis.fetch;
    for (const defects of RESPONSE_DEFECTS) {
      const { mock } = context.mock.method(globalThis, 'fetch', async (input: string, init: RequestInit) => {
        const wrong = defects.find(([path]) => `${input}`.endsWith(path));
        return wrong ? new Response(JSON.stringify(wrong[2]), { status: wrong[1] }) : await real(input, init);
      });
      const found = (await problems({ domain: undefined })).join('\n');
      mock.restore();
      for (const [, , , wanted] of defects) assert.match(found, wanted);
    }
  });

  test('keys of another project and other settings of the pages are named, and no offer is left', async (context) => {
    const real = globalThis.fetch;
    const otherKey = await problems({ publishableKey: 'sb_publishable_other' });
    assert.equal(otherKey.length, 1);
    assert.match(otherKey[0] ?? '', /rejected the public key.* from the same project/);
    assert.match((await problems({ url: 'http://127.0.0.1:9' })).join(), /no response .* is not paused/);

    const other = openHosted({ ...standIn, secretKey: 'sb_secret_other' });
    const found = (await problems({ project: other })).join('\n');
    assert.match(found, /failed: database: .* the project rejected SUPABASE_SECRET_KEY/);
    assert.match(found, /left out: offer: .* Without the secret key/);
    const call: HostedProject['call'] = async (name, args) => {
      if (name === 'erase_customer') throw new Error('The network is gone.');
      return await project.call(name, args);
    };
    const cut = await problems({ project: { ...project, call } });
    assert.match(
      cut.join('\n'),
      /It was not erased: The network is gone\. Run: npm run erase -- deployment-test@/,
    );
    assert.equal(await project.call('count_offers', {}), 1);
    // The next check erases it, and also where its own offer fails.
    context.mock.method(globalThis, 'fetch', async (input: string, init: RequestInit) =>
      `${input}`.endsWith('/order-submit') && init.method === 'POST'
        ? new Response('{}', { status: 503 })
        : await real(input, init),
    );
    assert.match((await problems()).join('\n'), /offer: .* responded with 503 .* a second time with 503/);
    context.mock.restoreAll();
    assert.equal(await project.call('count_offers', {}), 0);

    const pages = (await problems({ usesTurnstile: true, adminOrigin: 'https://other.example' })).join('\n');
    assert.match(pages, /other\.example is not the admin host/);
    assert.match(pages, /the pages use Turnstile, and the functions do not know its secret/);
    assert.match(pages, /^left out: offer: .*Turnstile’s token comes from a browser only/m);
  });

  test('functions that every page may call, a session that sign-out leaves open, and an offer that is not found are named', async (context) => {
    const real = globalThis.fetch;
    const administrator = await addAdministrator(project, 'stays@example.com');
    context.mock.method(globalThis, 'fetch', async (input: string, init: RequestInit) => {
      const { pathname } = new URL(`${input}`);
      if (init.method === 'OPTIONS') {
        const origin = new Headers(init.headers).get('origin') ?? '';
        // One repeats every origin, another allows all.
        const allowed = { '/functions/v1/order-submit': origin, '/functions/v1/admin-auth': '*' }[pathname];
        if (allowed) return new Response('', { headers: { 'access-control-allow-origin': allowed } });
      }
      if (pathname === '/auth/v1/logout') return new Response('{}');
      return await real(input, init);
    });
    const call: HostedProject['call'] = async (name, args) => {
      const result = await project.call(name, args);
      return name === 'erase_customer' ? (0 as typeof result) : result;
    };
    const found = (await problems({ administrator, project: { ...project, call } })).join('\n');
    context.mock.restoreAll();
    for (const name of ['order-submit', 'admin-auth'])
      assert.match(
        found,
        new RegExp(`function ${name}: pages of other sites may not: It allows every origin`),
      );
    assert.doesNotMatch(found, /bot-check: pages of other sites/);
    assert.match(found, /administrator: reads nothing after signing out: It responded with 200 and 200\./);
    assert.match(found, /offer: .*It was stored, and could not be found again\./);
  });

  const DATABASE_DEFECTS = [
    ['alter table public.offers disable row level security', /missing: row level security on offers/],
    ['grant delete on public.offers to authenticated', /too much: authenticated: DELETE on offers/],
    [
      'grant update (customer_email) on public.offers to authenticated',
      /too much: authenticated: UPDATE on offers\(customer_email\)/,
    ],
    [
      'grant select on private.messages to service_role',
      /too much: service_role: SELECT on private\.messages/,
    ],
    ['alter table public.offers disable trigger only_the_status_changes', /missing: trigger only_the_status/],
    [
      'create policy open on public.offers for select to authenticated using (true)',
      /too much: policy on offers for SELECT to authenticated using true/,
    ],
    [
      'grant execute on function public.pause_messages() to anon',
      /too much: anon: EXECUTE on pause_messages/,
    ],
    [
      'grant execute on function public.read_listings to anon',
      /visitor: \S+ \S+\/read_listings is rejected: .* a grant is too wide/,
    ],
    ['drop function public.read_message_state()', /its migrations are not applied/],
    [
      `create function public.of_the_owner() returns void language sql as $$ $$;
     grant execute on function public.of_the_owner() to anon`,
      /left out: database: rights on other objects: They are not of this product.* EXECUTE on of_the_owner/,
    ],
  ] as const;

  test('the check names a missing catalogue, and each defect of the database', async (context) => {
    const other = await startHostedStandIn();
    context.after(() => other.stop());
    const otherProject = openHosted(other);
    const change = { ...other, project: otherProject };
    assert.match((await problems(change)).join('\n'), /no catalogue is published/);
    await publish(otherProject);
    const administrator = await addAdministrator(otherProject, 'defects@example.com');
    for (const [defect] of DATABASE_DEFECTS) await other.database.sql.exec(defect);
    const found = (await problems({ ...change, administrator, domain: undefined })).join('\n');
    for (const [, wanted] of DATABASE_DEFECTS) assert.match(found, wanted);
    assert.match(found, /administrator: DELETE \/rest\/v1\/offers is rejected: .* a grant is too wide/);
  });

  test('the check has a request for every route', () => {
    const routes = Object.entries(BACKEND_ROUTES).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, route]) =>
        route.to === 'database' ? [{ name: `${method} ${path}`, route }] : [],
      ),
    );
    assert.deepEqual(Object.keys(ADMINISTRATOR_REQUESTS).sort(), routes.map(({ name }) => name).sort());
    for (const { name, route } of routes) {
      const { body } = ADMINISTRATOR_REQUESTS[name] ?? {};
      assert.equal(route.body?.safeParse(body).success ?? body === undefined, true, name);
    }
  });
});
