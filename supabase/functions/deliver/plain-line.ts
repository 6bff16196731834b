/** Texts that a visitor typed, prepared for mail and webhooks. */
import { withoutDirectionMarks } from '../_shared/contract/direction-marks.ts';

/** Line breaks of every kind, and the other control characters. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** The text as one line without control characters. */
export function plainLine(text: string): string {
  return withoutDirectionMarks(text.toWellFormed().replace(CONTROLS, ' ')).trim();
}

/** The lines of a text, each as `plainLine` returns it. */
export function plainLines(text: string): string[] {
  return text.split('\n').map(plainLine);
}

/** The text with at most `max` UTF-16 units, whole characters alone; an ellipsis replaces the rest. */
export function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The text without what Slack, Discord and Mattermost read as a mention or as a link with another text. */
export function withoutMarkup(text: string): string {
  return text
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replace(/@(?=everyone|here|channel|all)/gi, '@\u200b')
    .replaceAll('](', ']\u200b(');
}
