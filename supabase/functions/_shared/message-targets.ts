/** Targets of messages, as `private.messages` has them: `mailto:ada@example.com` or the URL of a webhook. */
import type { MessageSettings } from './contract/message-settings.ts';

/** Targets of the messages to the owner. */
export function ownerTargets({ mail, webhooks }: MessageSettings): string[] {
  return [...(mail?.to ?? []).map(mailtoOf), ...webhooks.urls];
}

/** @param email kept in its letter case */
export function mailtoOf(email: string): string {
  return `mailto:${email}`;
}
