// @ts-check
// The entry of every command: `node cli.mjs NAME …`, of which `npm run NAME -- …` is an alias. Starts on Node 20 or newer,
// installs what is missing, and hands over to the project's own Node. Plain JavaScript with Node's own modules alone, because
// nothing else need be there yet.
import { spawn } from 'node:child_process';
import { delimiter, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMMANDS, stepsOf } from './commands/command-table.mjs';
import { prepare, projectNode } from './commands/prepare.mjs';
import { nearest } from './process/nearest.mjs';

await main(process.argv.slice(2));

/** @param {string[]} argv the name of a command, and its arguments; or `prepare` and a name, which does not run it */
async function main([given = 'help', ...args]) {
  if (['help', '--help', '-h'].includes(given)) return console.log(help());
  const isRun = given !== 'prepare';
  const wanted = isRun ? given : args.join(' ');
  const group = COMMANDS.find(({ commands }) => commands.some(({ name }) => name === wanted));
  const command = group?.commands.find(({ name }) => name === wanted);
  if (!command) return fail(unknown(wanted));
  // systemd passes a socket to the process that it starts, and it is closed where that one hands over.
  if (process.env.LISTEN_PID === String(process.pid))
    return fail(
      'A socket of systemd does not get past this program. Its service has to start commands/start.ts, as ' +
        'docs/deploy/domain-storefront.service does.',
    );
  process.chdir(dirname(fileURLToPath(import.meta.url)));
  await prepare(group?.development === true);
  if (!isRun) return;
  // Packages' programs come first, as in npm's scripts.
  process.env.PATH = [resolve('node_modules/.bin'), process.env.PATH].join(delimiter);
  // The next start is faster, with less memory (docs/performance.md). Tests, which start copies of the project in ever new folders, have their own.
  if (!group?.development) process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/compiled');
  const steps = stepsOf(command).map((step) => ['--disable-warning=ExperimentalWarning', ...step]);
  const last = [...(steps.pop() ?? []), ...args];
  for (const step of steps) if (!(await runNode(step))) return;
  // Node 22.15 and newer become the command: nothing stays beside it, and signals and exit code are its own.
  if (process.execve) process.execve(projectNode(), [projectNode(), ...last]);
  await runNode(last);
}

/**
 * Runs the project's Node to its end, and passes signals on to it. Where it fails, this process ends as it did.
 * @param {string[]} args
 * @returns {Promise<boolean>} whether it succeeded
 */
function runNode(args) {
  const child = spawn(projectNode(), args, { stdio: 'inherit' });
  const pass = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, pass);
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (code, signal) => {
      for (const one of signals) process.off(one, pass);
      if (signal !== null) process.kill(process.pid, signal);
      process.exitCode = code ?? 1;
      resolve(code === 0);
    });
  });
}

function help() {
  const groups = COMMANDS.map(({ title, commands }) =>
    [title, ...commands.map(({ name, about }) => `  ${name.padEnd(16)}${about}`)].join('\n'),
  );
  return [
    'npm run NAME, with arguments after --, such as: npm run backup -- FILE.backup',
    ...groups,
    'npm start and npm test work without run.',
  ].join('\n\n');
}

/** @param {string} given */
function unknown(given) {
  const names = COMMANDS.flatMap(({ commands }) => commands.map(({ name }) => name));
  const meant = nearest(given, names) ?? names.find((name) => given !== '' && name.startsWith(given));
  const remedy = meant === undefined ? 'The commands are listed above.' : `Did you mean ${meant}?`;
  return `${help()}\n\nThere is no command ${JSON.stringify(given)}. ${remedy}`;
}

/** @param {string} message */
function fail(message) {
  console.error(`\n${message}\n`);
  process.exitCode = 1;
}
