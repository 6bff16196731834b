import type { Returned } from '#contract/calls.ts';
import { describeProblem } from '#contract/server-problem.ts';
import type { Project } from '../backend-client/project.ts';

/** Messages that wait longer than this are reported. */
const MAX_WAIT_SECONDS = 600;
const TIMEOUT_MS = 2_000;

/** For `GET /health`: true, or what does not work. True also where the database does not respond: that is reported as its own. */
export async function healthOfMessages(project: Project): Promise<true | string> {
  const state = await project.call('read_message_state', {}, TIMEOUT_MS).catch(() => undefined);
  return state ? messageHealth(state) : true;
}

function messageHealth({
  failed,
  wait_seconds,
  reason,
  problems,
}: Returned<'read_message_state'>): true | string {
  const why = reason === null ? '' : ` The last response was: ${reason}`;
  if (problems.length > 0) return problems.map(describeProblem).join(' ') + why;
  if (failed > 0) return `${failed === 1 ? '1 message was' : `${failed} messages were`} not sent.${why}`;
  if (wait_seconds > MAX_WAIT_SECONDS) {
    return `A message has been waiting for ${Math.floor(wait_seconds / 60)} minutes.${why}`;
  }
  return true;
}
