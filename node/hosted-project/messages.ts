/** How the messages of a project stand, and those that are held back. */
import * as z from 'zod/mini';
import { callFor, type Project } from './project.ts';

/** No field holds an email address or a URL. */
const MessageStateSchema = z.object({
  /**
   * Waiting, held back after a restore, given up, and sent so far. Given up are neither dismissed messages nor confirmations
   * whose address was rejected.
   */
  queued: z.number(),
  paused: z.number(),
  failed: z.number(),
  sent: z.number(),
  /** How long the oldest message that is not held back has been waiting, without digests and confirmations whose address was rejected. */
  wait_seconds: z.number(),
  /** The server's response to the last failed try of a message that is not sent; null where there is none. */
  reason: z.nullable(z.string()),
});
export type MessageState = z.infer<typeof MessageStateSchema>;

export async function readMessageState(project: Project, timeoutMs?: number): Promise<MessageState> {
  return await callFor(project, MessageStateSchema, 'read_message_state', {}, timeoutMs);
}

/** @returns the number of messages that were held back */
export async function resumeMessages(project: Project): Promise<number> {
  return await callFor(project, z.number(), 'resume_messages');
}
