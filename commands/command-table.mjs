// @ts-check
// The table of commands: what cli.mjs starts and docs/commands.md lists. Plain JavaScript, because cli.mjs needs it on
// whatever Node there is.

const FIND_BROWSER = ['tests/support/find-browser.ts'];
const TEST_RUNNER = 'tests/runner/run.ts';

/**
 * @typedef {object} Command
 * @property {string} name after `npm run`
 * @property {string} about what it does: at most 62 characters, for lines of 80 in the help
 * @property {string} [args] its usual arguments, such as `FILE`
 * @property {string} [more] what docs/commands.md says beside that, in Markdown with links from there
 * @property {readonly (readonly string[])[]} [steps] arguments of Node for each process; absent: its file in `commands`. Each
 *   starts if the one before succeeded, and the last gets the arguments of the command
 */

/**
 * All commands, in the order of use. Each has its alias in package.json.
 * @type {readonly { title: string, development?: boolean, commands: readonly Command[] }[]} those of a group with
 *   `development` need the packages of tests and checks
 */
export const COMMANDS = [
  {
    title: 'Run the site',
    commands: [
      {
        name: 'start',
        about: 'installs, builds where needed, and serves the whole product',
        more: 'With `-- --watch` it builds after each edit of the catalogue.',
      },
      {
        name: 'build',
        about: 'builds the site; a running product serves it at once',
        more: 'It is in `dist`; when this ends, new names take offers.',
      },
      {
        name: 'doctor',
        about: 'checks every name and the product: DNS, page, mail, disk',
        more: 'Also certificates and the backend: [the whole list](doctor.md).',
      },
      {
        name: 'demo',
        about: 'serves the product with made-up offers; sends no messages',
        more: 'Its names and its data folder, `.data-demo`, are its own.',
      },
      {
        name: 'seed',
        about: 'makes a demo of your names with any number of offers',
        args: '--offers NUMBER',
        more: 'Remove `.data-demo` first.',
      },
    ],
  },
  {
    title: 'Catalogue',
    commands: [
      {
        name: 'catalogue',
        about: 'makes, edits, imports, exports and checks your catalogue',
        args: 'COMMAND',
        more: '[Its commands](owners-guide.md#catalogue-commands).',
      },
    ],
  },
  {
    title: 'Offers and data',
    commands: [
      {
        name: 'messages',
        about: 'sends an example of each message, or shows what is queued',
        args: 'test',
        more: '`test` prints what the servers said, `status` what is queued; `resume` sends what [waits](owners-guide.md#when-no-mail-arrives).',
      },
      {
        name: 'export',
        about: 'writes offers, all data of one customer, or visits to a file',
        args: 'FILE',
        more: 'To a `.csv`, which is safe to open in a spreadsheet, or a `.json`. `--separator ";"` is for an Excel that expects semicolons. Of one customer: `--email EMAIL FILE.json`. A file named `numbers.csv` gets the [visits](owners-guide.md#visits).',
      },
      {
        name: 'erase',
        about: 'deletes all offers of one customer',
        args: 'EMAIL',
        more: 'Asks where there is a terminal; `--yes` does not ask.',
      },
      {
        name: 'purge',
        about: 'deletes closed offers from an age on',
        args: '--older-than 24months',
        more: 'Rejected ones; with `--accepted` accepted ones too: [offers](owners-guide.md#offers).',
      },
      {
        name: 'backup',
        about: 'copies the embedded database to a file',
        args: 'FILE.backup',
        more: 'Also while the product runs; [every night](hosting.md#backups) with `--keep 14 FOLDER`.',
      },
      {
        name: 'restore',
        about: 'creates the embedded database from such a file',
        args: 'FILE',
        more: 'Only if there is none yet; repeats erasures made since.',
      },
    ],
  },
  {
    title: 'Accounts',
    commands: [
      {
        name: 'admin',
        about: 'adds, removes and lists administrators; passwords, factors',
        args: 'add EMAIL',
        more: 'Also `remove`, `password`, `factor` and `list`: [administrators](owners-guide.md#administrators).',
      },
    ],
  },
  {
    title: 'Hosted',
    commands: [
      {
        name: 'deploy:backend',
        about: 'brings a hosted Supabase project up to date, and checks it',
        more: '[Hosted Supabase](hosted.md).',
      },
      {
        name: 'transfer',
        about: 'copies the offers of the embedded database to that project',
        args: '--to hosted',
      },
      {
        name: 'deploy:worker',
        about: 'puts the pages of such a site on Cloudflare',
        more: '[At the edge](hosting.md#at-the-edge).',
      },
    ],
  },
  {
    title: 'For contributors',
    development: true,
    commands: [
      {
        name: 'dev',
        about: 'serves the product with hot reload',
        more: '[To change the code](../CONTRIBUTING.md).',
      },
      {
        name: 'check',
        about: 'checks format, imports, generated texts, unused code, types',
        steps: [
          ['node_modules/.bin/biome', 'check', '--error-on-warnings', '.'],
          ['commands/check-imports.ts'],
          ['commands/check-documents.ts'],
          ['node_modules/.bin/knip', '--no-progress'],
          ['node_modules/.bin/astro', 'check', '--minimumFailingSeverity', 'warning'],
        ],
      },
      {
        name: 'test',
        about: 'the check, then unit, product and everyday browser tests',
        steps: [FIND_BROWSER, [TEST_RUNNER]],
      },
      {
        name: 'test:all',
        about: 'what test and test:rest run',
        steps: [FIND_BROWSER, [TEST_RUNNER, 'daily', 'rest']],
      },
      {
        name: 'test:rest',
        about: 'the abuse suite in its short form, the other browser tests',
        steps: [FIND_BROWSER, [TEST_RUNNER, 'rest']],
      },
      {
        name: 'test:abuse',
        about: 'the abuse suite in its full form: bad input, kills, full disks',
        steps: [FIND_BROWSER, [TEST_RUNNER, 'abuse', '--full']],
      },
      {
        name: 'test:hosted',
        about: 'the tests of a hosted project',
        steps: [
          ['--test', '--test-timeout=300000', 'tests/hosted/*.test.ts'],
          FIND_BROWSER,
          ['tests/hosted/browser.ts'],
        ],
      },
      {
        name: 'test:worker',
        about: 'the tests of the Worker, in Cloudflare’s runtime',
        steps: [['--test', '--test-timeout=300000', 'tests/worker/worker.test.ts']],
      },
      {
        name: 'test:container',
        about: 'the tests of Dockerfile and install.sh, in fresh Debian roots',
        steps: [['--test', '--test-timeout=1200000', 'tests/container/*.test.ts']],
      },
      {
        name: 'migration',
        about: 'writes the next migration, from changes of supabase/schemas',
        args: 'NAME',
        more: '`-- --fold` replaces all by one. [How to change the database](recipes.md#a-change-of-the-database).',
      },
      {
        name: 'shots',
        about: 'takes pictures of six screens',
        more: '`--readme` makes those of the README.',
        steps: [FIND_BROWSER, ['tests/shots/shots.ts']],
      },
      { name: 'bench', about: 'measures the product and its peers', steps: [['bench/run.ts']] },
    ],
  },
];

/**
 * Arguments of Node for each process of a command.
 * @param {Command} command
 * @returns {readonly (readonly string[])[]}
 */
export function stepsOf({ name, steps = [[`commands/${name.replace(':', '-')}.ts`]] }) {
  return steps;
}
