/** Splits a domain's name before its ending, the preferred place for a line break. */
export function breakBeforeEnding(name: string): [stem: string, ending: string] {
  const dot = name.lastIndexOf('.');
  return [name.slice(0, dot), name.slice(dot)];
}
