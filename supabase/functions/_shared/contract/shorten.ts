/** The text with at most `max` UTF-16 units, whole characters alone; an ellipsis replaces the rest. */
export function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
