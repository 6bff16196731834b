// One anonymous request makes @supabase/lite 0.10.0 on PGlite 0.4.5 return no rows until it is restarted.
// Run: npm install @supabase/lite@0.10.0 @electric-sql/pglite@0.4.5 && node supabase-lite-csv.mjs
import { App } from '@supabase/lite';
import { createPgliteConnection } from '@supabase/lite/pglite';

const KEY = 'sb_publishable_test';
console.error = () => {};
const connection = await createPgliteConnection({});
const pglite = connection.driver;
await pglite.waitReady;
const app = new App({
  connection,
  api: { enabled: true, schemas: ['public'], max_rows: 1000 },
  auth: { enabled: true, jwt_secret: 's'.repeat(48), publishable_key: KEY, secret_key: 'sb_secret_test' },
});
await app.ensureSystemSchema();
await pglite.exec(
  'create table public.notes (id serial primary key, text text); alter table public.notes enable row level security;',
);

const select = async () => JSON.stringify((await pglite.query('select 1 + 1 as sum')).rows);
const post = async (lines) => {
  const response = await app.fetch(
    new Request('http://localhost/rest/v1/notes', {
      method: 'POST',
      headers: { apikey: KEY, 'content-type': 'text/csv' },
      body: `text\n${'x\n'.repeat(lines)}`,
    }),
  );
  return response.status;
};

console.log('select 1 + 1 at first:', await select());
console.log('POST of 32,000 lines of CSV:', await post(32_000));
console.log('select 1 + 1:', await select());
console.log('POST of 34,000 lines of CSV:', await post(34_000));
for (let time = 1; time <= 3; time += 1) console.log(`select 1 + 1, time ${time}:`, await select());
process.exit();
