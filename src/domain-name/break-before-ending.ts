/** Splits a domain's name at its last dot, before which a line break is preferred. */
export function breakBeforeEnding(name: string): [stem: string, ending: string] {
  const dot = name.lastIndexOf('.');
  return [name.slice(0, dot), name.slice(dot + 1)];
}
