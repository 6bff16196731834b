/** Compares the rights in the database with those that the migrations leave; needs the secret key. */
import * as z from 'zod/mini';
import { EXPECTED_ACCESS } from '../expected-access.ts';
import type { HostedProject } from '../project.ts';
import { type Finding, finding } from './findings.ts';

const AccessSchema = z.array(z.string());

/** Without a right for any role: for the SQL editor alone. */
const CLOSED_FUNCTIONS = ['pause_messages'];

/** @returns whether the secret key opens the project */
export async function* checkAccess(project: HostedProject): AsyncGenerator<Finding, boolean> {
  const what = 'database: rights, policies and triggers are those of the migrations';
  let found: string[];
  try {
    found = AccessSchema.parse(await project.call('read_access'));
  } catch (error) {
    const { name, message } = error as Error;
    yield finding(what, name === 'UserError' ? message : 'What read_access returned is no list of rights.');
    return false;
  }
  const missing = EXPECTED_ACCESS.filter((line) => !found.includes(line));
  // Row level security closes a table, and projects can be set to switch it on by themselves.
  const more = found.filter(
    (line) => !EXPECTED_ACCESS.includes(line) && !line.startsWith('row level security on '),
  );
  const problems = [
    ...missing.map((line) => `missing: ${line}`),
    ...more.filter(isOurs).map((line) => `too much: ${line}`),
  ].join('; ');
  yield finding(
    what,
    problems === '' ? undefined : `Undo in the project’s SQL editor what changed them. ${problems}.`,
  );
  const foreign = more.filter((line) => !isOurs(line));
  if (foreign.length > 0) {
    const why = `They are not of this product; see that they are meant: ${foreign.join('; ')}.`;
    yield { status: 'left out', what: 'database: rights on other objects', why };
  }
  return true;
}

function isOurs(line: string): boolean {
  const name = objectOf(line);
  return (
    line.startsWith('policy on offers ') ||
    name.startsWith('private') ||
    CLOSED_FUNCTIONS.includes(name) ||
    EXPECTED_ACCESS.some((expected) => objectOf(expected) === name)
  );
}

/** The table or function of a line, without the column. */
function objectOf(line: string): string {
  return /^(?:[^:]+: [A-Z ]+|trigger \S+) on ([^( ]+)/.exec(line)?.[1] ?? '';
}
