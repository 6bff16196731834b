/**
 * `npm run check` runs this: docs/commands.md is what commands/command-table.mjs makes of it, .env.example and the list of secrets in
 * docs/hosted.md what the schema of the settings makes of them, and the owner's guide names every setting. With `--write` it
 * writes the first three.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { FUNCTION_SETTINGS, SETTING_NAMES, SETTINGS, type Setting } from '#contract/settings.ts';
import { COMMANDS } from './command-table.mjs';

const LINE_WIDTH = 120;

const INTRODUCTION =
  'Every setting, with its value when absent. Copy this file to .env and change what you need; what stands in the ' +
  'environment wins over .env. A wrong value stops the start with a sentence that names it. A value with a # in it goes in ' +
  'quotes. Written from supabase/functions/_shared/contract/settings.ts.';

const COMMANDS_INTRODUCTION =
  'Run them in the clone. `node cli.mjs NAME …` does the same as `npm run NAME -- …`, without npm. `npm run help` prints the ' +
  'short form of this list, which is written from commands/command-table.mjs.';

/** npm runs these without `run`. */
const NPM_KNOWS = ['start', 'test'];

const paragraphs = SETTING_NAMES.map((name) => {
  const { about, absent, range, default: value = '' }: Setting = SETTINGS[name];
  const limits = range && `From ${range[0]} to ${range[1]}.`;
  const text = [about, limits, absent && `Absent: ${absent}.`].filter(Boolean).join(' ');
  return `${wrap(text, '# ')}#${name}=${value}\n`;
});

const tables = COMMANDS.map(({ title, commands }) => {
  const lines = commands.map(({ name, args, about, more = '' }) => {
    const call = `npm ${NPM_KNOWS.includes(name) ? '' : 'run '}${name}${args === undefined ? '' : ` -- ${args}`}`;
    const text = `${about.charAt(0).toUpperCase()}${about.slice(1)}. ${more}`;
    return `| \`${call}\` | ${text.trim()} |\n`;
  });
  return `## ${title}\n\n| command | what it does |\n|---|---|\n${lines.join('')}`;
});

compare('docs/commands.md', ['# Commands\n', wrap(COMMANDS_INTRODUCTION, ''), ...tables].join('\n'));
compare('.env.example', [wrap(INTRODUCTION, '# '), ...paragraphs].join('\n'));
compare('docs/hosted.md', wrap(`${FUNCTION_SETTINGS.map((name) => `\`${name}\``).join(', ')}.`, ''));

const sections = readFileSync('docs/owners-guide.md', 'utf8').split('\n## ');
const section = sections.find((text) => text.startsWith('Settings\n')) ?? '';
const unnamed = SETTING_NAMES.filter((name) => !section.includes(`\`${name}\``));
if (unnamed.length > 0) {
  console.error(`docs/owners-guide.md does not name ${unnamed.join(', ')}. Add it to the table of Settings.`);
  process.exitCode = 1;
}

/** Breaks a text into lines of the line width, each with the prefix. */
function wrap(text: string, prefix: string): string {
  let [line = '', ...words] = text.split(' ');
  let wrapped = prefix + line;
  for (const word of words) {
    const isTooLong = `${prefix}${line} ${word}`.length > LINE_WIDTH;
    line = isTooLong ? word : `${line} ${word}`;
    wrapped += isTooLong ? `\n${prefix}${word}` : ` ${word}`;
  }
  return `${wrapped}\n`;
}

/** Compares a file, or its part between the comments `settings` and `/settings`. */
function compare(file: string, wanted: string): void {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const [, before = '', after = ''] =
    /^([\s\S]*<!-- settings -->\n)[\s\S]*?(<!-- \/settings -->[\s\S]*)$/.exec(text) ?? [];
  const right = `${before}${wanted}${after}`;
  if (text === right) return;
  if (process.argv.includes('--write')) {
    writeFileSync(file, right);
    return;
  }
  console.error(
    `${file} is not what the code makes of it. Run: npx node commands/check-documents.ts --write`,
  );
  process.exitCode = 1;
}
