import { Resolver } from 'node:dns/promises';

/** What DNS has for a host. */
export interface Addresses {
  readonly addresses: readonly string[];
  /** The target of its CNAME. */
  readonly alias: string | undefined;
  /** Why there is no address: one of `ABSENT`, or Node's code where DNS failed, such as `ETIMEOUT`. */
  readonly code: string | undefined;
}

export type Dns = ReturnType<typeof openDns>;

/** No record of this type, and no such name. */
export const ABSENT = ['ENODATA', 'ENOTFOUND'];
const TRIES = 2;

/**
 * Queries DNS, never the file /etc/hosts, which visitors do not have.
 * @param server an ip with or without port, IPv6 in brackets where it has one; undefined: the system's
 * @param timeoutMs of one query, its repetition included
 * @throws TypeError for a malformed server
 */
export function openDns(server: string | undefined, timeoutMs: number) {
  // The second try waits twice as long as the first one.
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: TRIES });
  if (server !== undefined) resolver.setServers([server]);
  return {
    async addressesOf(host: string): Promise<Addresses> {
      const [v4, v6, alias] = await Promise.allSettled([
        resolver.resolve4(host),
        resolver.resolve6(host),
        resolver.resolveCname(host),
      ]);
      const codes = [v4, v6].map((one) => (one.status === 'rejected' ? codeOf(one.reason) : undefined));
      const failure = codes.find((code) => code !== undefined && !ABSENT.includes(code));
      const recordsOf = (one: typeof v4) => (one.status === 'fulfilled' ? one.value : []);
      return {
        addresses: [...new Set([v4, v6].flatMap(recordsOf))],
        alias: recordsOf(alias)[0],
        code: failure ?? codes[0],
      };
    },
    /** The TXT records of a name. @throws with Node's code and the name in the message where DNS failed */
    async textsOf(name: string): Promise<string[]> {
      try {
        return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
      } catch (error) {
        if (ABSENT.includes(codeOf(error))) return [];
        throw error;
      }
    },
  };
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}
