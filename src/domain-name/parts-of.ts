export interface NameParts {
  /** The label before the ending, which people type. */
  label: string;
  /** With its dot: `.app`, `.co.uk`. */
  ending: string;
}

/** Splits a domain's name at its first dot. */
export function partsOf(name: string): NameParts {
  const dot = name.indexOf('.');
  return { label: name.slice(0, dot), ending: name.slice(dot) };
}

/** Number of letters of a label, as people count them: an accent belongs to its letter. */
export function lengthOf(label: string): number {
  return [...label.normalize()].length;
}
