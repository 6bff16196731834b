/** A domain's name in two parts: where it is too long for its line, it breaks before its ending first. */
export function breakBeforeEnding(name: string): [stem: string, ending: string] {
  const dot = name.lastIndexOf('.');
  return [name.slice(0, dot), name.slice(dot)];
}
