/** The part of the catalogue that the functions know: written by every build, so that one edit reaches them too. */
export interface Catalogue {
  /** Every domain for sale. */
  readonly names: ReadonlySet<string>;
  /** Other host names the site itself is opened by. */
  readonly hosts: ReadonlySet<string>;
}

export function catalogueOf(file: { domains: string[]; hosts: string[] }): Catalogue {
  return { names: new Set(file.domains), hosts: new Set(file.hosts) };
}
