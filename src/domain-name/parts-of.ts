/** Splits a domain's name at its first dot: the label, which people type, and the ending with its dot, `.app` or `.co.uk`. */
export function partsOf(name: string): { label: string; ending: string } {
  const dot = name.indexOf('.');
  return { label: name.slice(0, dot), ending: name.slice(dot) };
}

/** Number of letters of a label, as people count them: an accent belongs to its letter. */
export function lengthOf(label: string): number {
  return [...label.normalize()].length;
}
