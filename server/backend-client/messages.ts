/** How the messages of a project stand, and those that are held back. */
import type { Returned } from '#contract/calls.ts';
import type { Project } from './project.ts';

export type MessageState = Returned<'read_message_state'>;

export async function readMessageState(project: Project, timeoutMs?: number): Promise<MessageState> {
  return await project.call('read_message_state', {}, timeoutMs);
}

/** @returns the number of messages that were held back */
export async function resumeMessages(project: Project): Promise<number> {
  return await project.call('resume_messages', {});
}
