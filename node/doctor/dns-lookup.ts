import { Resolver } from 'node:dns/promises';

/** The addresses of a host. `alias` is the target of its CNAME. */
export type Addresses =
  | { readonly status: 'found'; readonly addresses: readonly string[]; readonly alias: string | undefined }
  /** The name exists and has no address. */
  | { readonly status: 'missing'; readonly alias: string | undefined }
  /** NXDOMAIN: there is no such name. */
  | { readonly status: 'unknown'; readonly alias: string | undefined }
  /** `code` is that of Node, such as `ETIMEOUT`. */
  | { readonly status: 'failed'; readonly code: string };

/** The TXT records of a name. */
export type Texts =
  | { readonly status: 'found'; readonly texts: readonly string[] }
  | { readonly status: 'missing' }
  | { readonly status: 'failed'; readonly code: string };

export interface Lookup {
  addressesOf(host: string): Promise<Addresses>;
  textsOf(name: string): Promise<Texts>;
}

/** No record of this type, and no such name. */
const ABSENT = ['ENODATA', 'ENOTFOUND'];
const TRIES = 2;

/**
 * Queries DNS, never the file /etc/hosts, which visitors do not have.
 * @param server an ip with or without port, IPv6 in brackets where it has one; undefined: the system's
 * @param timeoutMs of one query, its repetition included
 * @throws TypeError for a malformed server
 */
export function createLookup(server: string | undefined, timeoutMs: number): Lookup {
  // The second try waits twice as long as the first one.
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: TRIES });
  if (server !== undefined) resolver.setServers([server]);
  return {
    async addressesOf(host) {
      const [v4, v6, alias] = await Promise.all([
        recordsOf(resolver.resolve4(host)),
        recordsOf(resolver.resolve6(host)),
        recordsOf(resolver.resolveCname(host)),
      ]);
      const target = alias.records[0];
      const addresses = [...new Set([...v4.records, ...v6.records])];
      if (addresses.length > 0) return { status: 'found', addresses, alias: target };
      const failed = [v4, v6].find(({ code }) => code !== undefined && !ABSENT.includes(code))?.code;
      if (failed !== undefined) return { status: 'failed', code: failed };
      return { status: v4.code === 'ENOTFOUND' ? 'unknown' : 'missing', alias: target };
    },
    async textsOf(name) {
      const { records, code } = await recordsOf(resolver.resolveTxt(name));
      if (code === undefined) return { status: 'found', texts: records.map((parts) => parts.join('')) };
      return ABSENT.includes(code) ? { status: 'missing' } : { status: 'failed', code };
    },
  };
}

async function recordsOf<Record>(answer: Promise<Record[]>): Promise<{ records: Record[]; code?: string }> {
  try {
    return { records: await answer };
  } catch (error) {
    return { records: [], code: (error as NodeJS.ErrnoException).code ?? 'unknown' };
  }
}
