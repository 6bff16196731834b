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

/** The text without what Slack, Discord and Mattermost read as a mention or as a link with another text. */
export function withoutMarkup(text: string): string {
  return text
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replace(/@(?=everyone|here|channel|all)/gi, '@\u200b')
    .replaceAll('](', ']\u200b(');
}
