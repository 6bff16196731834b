import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from './read-options.ts';

const USAGE = 'It takes --name NAME and --yes.';
const OPTIONS = { name: { type: 'string' }, yes: { type: 'boolean' } } as const;

function read(...args: string[]) {
  return readOptions({ args, options: OPTIONS }, USAGE).values;
}

test('reads options', () => {
  assert.deepEqual({ ...read('--name', 'lap.app', '--yes') }, { name: 'lap.app', yes: true });
});

for (const [args, what] of [
  [['--nmae', 'lap.app'], 'There is no option --nmae. Did you mean --name?'],
  [['--yes', '--Nam=lap.app'], 'There is no option --Nam. Did you mean --name?'],
  [['name'], 'The argument "name" is one too many. Did you mean --name?'],
  [['--force'], `There is no option --force. ${USAGE}`],
  [['-f'], `There is no option -f. ${USAGE}`],
  [['lap.app'], `The argument "lap.app" is one too many. ${USAGE}`],
  [['--name'], `The option --name needs a value. ${USAGE}`],
  [['--name', '--yes'], `The option --name needs a value. ${USAGE}`],
  [['--yes=no'], `The option --yes takes no value. ${USAGE}`],
] as const) {
  test(`${args.join(' ')}: the error names what was wrong, and the nearest option`, () => {
    assert.throws(() => read(...args), { name: 'UserError', message: what });
  });
}

test('where arguments are allowed, only options can be wrong', () => {
  const config = { args: ['a.csv', '--ys'], options: OPTIONS, allowPositionals: true } as const;
  assert.throws(() => readOptions(config, USAGE), {
    message: 'There is no option --ys. Did you mean --yes?',
  });
});
