import type { SiteHosts } from '#contract/hosts.ts';

/** A host of the site and the page that it has to respond with. */
export interface Target {
  readonly host: string;
  /** Path that is requested. */
  readonly path: string;
  /** The name in the catalogue; undefined for other hosts of the site. */
  readonly name: string | undefined;
  /** Whether it is the `www.` of a name: without DNS it is a warning only. */
  readonly isWww: boolean;
}

/** Hosts that lead to the visitor's own machine, and IP addresses: neither has DNS. */
const WITHOUT_DNS = /(?:^|\.)localhost$|^[\d.]+$/;

/** Every host that visitors open: each name and its `www.`, the site's own hosts, and ADMIN_HOST. */
export function targetsOf({ names, hosts, adminHost }: SiteHosts): Target[] {
  const own = hosts.filter((host) => host !== adminHost);
  const targets: Target[] = [
    ...own.map((host) => ({ host, path: '/', name: undefined, isWww: false })),
    ...(adminHost === undefined
      ? []
      : [{ host: adminHost, path: '/admin/login', name: undefined, isWww: false }]),
    ...[...names].flatMap((name) => [
      { host: name, path: '/', name, isWww: false },
      // A name such as www.example.com has none.
      ...(name.startsWith('www.') ? [] : [{ host: `www.${name}`, path: '/', name, isWww: true }]),
    ]),
  ];
  return targets.filter(({ host }) => !WITHOUT_DNS.test(host));
}

/** The targets of one name: with its `www.`, or one host of the site. */
export function targetsOfName(targets: readonly Target[], name: string): Target[] {
  const bare = name.toLowerCase().replace(/\.$/, '');
  return targets.filter(({ host, name: own }) => host === bare || own === bare.replace(/^www\./, ''));
}
