/**
 * Runs the edge functions' calls of database functions, with PostgREST's responses. @supabase/lite 0.10 runs them too,
 * but with fourteen statements for each (3.5 ms against 0.7 ms measured), which would halve the number of offers per
 * second. The migrations decide what may be called: only functions that `service_role` was granted are here. Not
 * reported yet; the report is docs/upstream/supabase-lite-0.10.md.
 */
import type { PGlite } from '@electric-sql/pglite';

/** Returns undefined when the request is no such call. */
export type CallService = (request: Request, url: URL) => Promise<Response> | undefined;

interface Callable {
  readonly name: string;
  readonly parameters: { name: string; type: string; optional: boolean }[];
}

/** To be called once the migrations' grants hold. */
export async function openServiceCalls(sql: PGlite): Promise<CallService> {
  const callables = await grantedFunctions(sql);
  return (request, url) => {
    const callable = callables.get(/^\/rest\/v1\/rpc\/(\w+)$/.exec(url.pathname)?.[1] ?? '');
    return callable && request.method === 'POST' ? call(sql, callable, request) : undefined;
  };
}

async function call(sql: PGlite, { name, parameters }: Callable, request: Request): Promise<Response> {
  const given = (await request.json()) as Record<string, unknown>;
  const missing = parameters.find((parameter) => !(parameter.optional || parameter.name in given));
  if (missing)
    return Response.json({ code: 'PGRST202', message: `missing ${missing.name}` }, { status: 404 });
  const passed = parameters.filter((parameter) => parameter.name in given);
  const list = passed.map((parameter, at) => `"${parameter.name}" => $${at + 1}::${parameter.type}`);
  try {
    const { rows } = await sql.query<{ result: unknown }>(
      `select public."${name}"(${list.join(', ')}) as result`,
      passed.map((parameter) =>
        parameter.type === 'jsonb' ? JSON.stringify(given[parameter.name]) : given[parameter.name],
      ),
    );
    return Response.json(rows[0]?.result ?? null);
  } catch (error) {
    // Without the message, which may repeat what a visitor typed.
    const { code = 'XX000' } = error as { code?: string };
    return Response.json({ code, message: 'The call failed.', details: null, hint: null }, { status: 400 });
  }
}

async function grantedFunctions(sql: PGlite): Promise<Map<string, Callable>> {
  const { rows } = await sql.query<{ name: string; names: string[]; types: string[]; defaults: number }>(`
    select p.proname as name, coalesce(p.proargnames, '{}') as names, p.pronargdefaults as defaults,
      array(select format_type(t, null) from unnest(p.proargtypes) with ordinality as a (t, place) order by place) as types
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prosecdef
      and has_function_privilege('service_role', p.oid, 'execute')`);
  return new Map(
    rows.map(({ name, names, types, defaults }) => {
      const parameters = names.map((argument, at) => ({
        name: argument,
        type: types[at] ?? 'text',
        optional: at >= names.length - defaults,
      }));
      return [name, { name, parameters }];
    }),
  );
}
