/**
 * Runs test files in one process: `node together.ts FILE …`. Each has modules of its own, except for packages, so that it does not
 * see what another one left in them. Which files share a process is decided in tasks.ts; a change of the process by one of them
 * fails here.
 */
import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const isOwn = found.url.startsWith('file:') && !found.url.includes('/node_modules/');
    const { search } = new URL(context.parentURL ?? 'file:');
    return isOwn && !found.url.includes('?') ? { ...found, url: found.url + search } : found;
  },
});

let before: ReturnType<typeof stateOfProcess>;
after(() => {
  const now = stateOfProcess();
  const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
    (name) => !Object.is(before.get(name), now.get(name)),
  );
  // node:test ends with 0 where no more than a hook of the whole run fails.
  if (changed.length > 0) process.exitCode = 1;
  assert.deepEqual(changed, [], 'A file changed these of the process: it has to run alone.');
});
// With what node:test has changed by now.
before = stateOfProcess();
for (const file of process.argv.slice(2)) await import(`${pathToFileURL(resolve(file)).href}?${file}`);

function stateOfProcess(): Map<string, unknown> {
  // Not what a getter returns: some of Node's load a module.
  const globals = Object.entries(Object.getOwnPropertyDescriptors(globalThis)).map(
    ([name, { value }]) => [`globalThis.${name}`, value] as const,
  );
  return new Map<string, unknown>([
    ...globals,
    ...Object.entries(process.env).map(([name, value]) => [`process.env.${name}`, value] as const),
    ...process
      .eventNames()
      .map((name) => [`listeners of ${String(name)}`, process.listenerCount(name)] as const),
    ['process.cwd()', process.cwd()],
  ]);
}
