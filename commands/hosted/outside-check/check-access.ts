/** Compares the rights in the database with those that the migrations leave; needs the secret key. */

import type { HostedProject } from '../../../server/backend-client/project.ts';
import { EXPECTED_ACCESS } from './expected-access.ts';
import { type Finding, finding } from './requests.ts';

/** The table or function of a line, without the column. */
const OBJECT = /^(?:[^:]+: [A-Z ]+|trigger \S+|policy) on ([^( ]+)/;

/** Without a right for any role: for the SQL editor alone. */
const OBJECTS = new Set(['pause_messages', ...EXPECTED_ACCESS.map(objectOf)]);

/** @returns whether the secret key opens the project */
export async function* checkAccess(project: HostedProject): AsyncGenerator<Finding, boolean> {
  const what = 'database: rights, policies and triggers are those of the migrations';
  let found: string[];
  try {
    found = await project.call('read_access', {});
  } catch (error) {
    yield finding(what, (error as Error).message);
    return false;
  }
  const missing = EXPECTED_ACCESS.filter((line) => !found.includes(line));
  // Row level security closes a table, and projects can be set to switch it on by themselves.
  const more = found.filter(
    (line) => !EXPECTED_ACCESS.includes(line) && !line.startsWith('row level security on '),
  );
  const isOurs = (line: string) => OBJECTS.has(objectOf(line)) || objectOf(line).startsWith('private');
  const problems = [
    ...missing.map((line) => `missing: ${line}`),
    ...more.filter(isOurs).map((line) => `too much: ${line}`),
  ];
  const remedy = `Undo in the project’s SQL editor what changed them. ${problems.join('; ')}.`;
  yield finding(what, problems.length === 0 ? undefined : remedy);
  const foreign = more.filter((line) => !isOurs(line));
  if (foreign.length > 0) {
    const why = `They are not of this product; see that they are meant: ${foreign.join('; ')}.`;
    yield { status: 'left out', what: 'database: rights on other objects', why };
  }
  return true;
}

function objectOf(line: string): string {
  return OBJECT.exec(line)?.[1] ?? '';
}
