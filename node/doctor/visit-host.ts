import { namesOfHost } from '#contract/hosts.ts';
import type { Lookup } from './dns-lookup.ts';
import { type Fetched, fetchPage } from './fetch-page.ts';

export interface Network {
  readonly lookup: Lookup;
  readonly httpsPort: number;
  readonly httpPort: number;
  /** Of one request, in milliseconds. */
  readonly timeoutMs: number;
}

/** What one address of a host responds with. */
export interface Visit {
  readonly address: string;
  readonly secure: Fetched;
  readonly plain: Fetched;
  /** Where the redirects end that begin at https or, where that does not respond, at http. */
  readonly end: Journey;
}

interface Journey {
  readonly status: 'arrived' | 'elsewhere' | 'loop';
  readonly url: string;
  /** The response there; undefined unless `arrived`. */
  readonly fetched: Fetched | undefined;
}

const MAX_REDIRECTS = 3;

/** Requests a page over https and over http, and follows redirects between the host and its `www.`. Never throws. */
export async function visitHost(
  host: string,
  address: string,
  path: string,
  network: Network,
): Promise<Visit> {
  const { httpsPort, httpPort, timeoutMs } = network;
  const to = { host, address, path, timeoutMs };
  const [secure, plain] = await Promise.all([
    fetchPage({ ...to, protocol: 'https:', port: httpsPort }),
    fetchPage({ ...to, protocol: 'http:', port: httpPort }),
  ]);
  const end =
    secure.status === 'response'
      ? follow(`https://${host}${path}`, secure, address, network)
      : follow(`http://${host}${path}`, plain, address, network);
  return { address, secure, plain, end: await end };
}

/** The URL that a response redirects to; undefined where it is none. */
export function redirectOf(url: string, fetched: Fetched): URL | undefined {
  if (fetched.status !== 'response' || ![301, 302, 303, 307, 308].includes(fetched.code)) return undefined;
  const { location } = fetched;
  return location !== undefined && URL.canParse(location, url) ? new URL(location, url) : undefined;
}

/** Whether two hosts are of one name, such as lap.app and www.lap.app. */
export function isSameName(one: string, other: string): boolean {
  const names = namesOfHost(other);
  return namesOfHost(one).some((name) => names.includes(name));
}

async function follow(start: string, first: Fetched, address: string, network: Network): Promise<Journey> {
  let url = start;
  let fetched = first;
  for (let count = 0; ; count += 1) {
    const next = redirectOf(url, fetched);
    if (!next) return { status: 'arrived', url, fetched };
    if (!isSameName(next.hostname, new URL(start).hostname) || !/^https?:$/.test(next.protocol)) {
      return { status: 'elsewhere', url: next.href, fetched: undefined };
    }
    if (count === MAX_REDIRECTS) return { status: 'loop', url: next.href, fetched: undefined };
    url = next.href;
    fetched = await fetchUrl(next, new URL(start).hostname === next.hostname ? address : undefined, network);
  }
}

async function fetchUrl(url: URL, known: string | undefined, network: Network): Promise<Fetched> {
  const protocol = url.protocol === 'https:' ? 'https:' : 'http:';
  const address = known ?? (await firstAddress(url.hostname, network.lookup));
  if (address === undefined) return { status: 'failed', code: 'ENOTFOUND', certificate: undefined };
  const port = Number(url.port) || (protocol === 'https:' ? network.httpsPort : network.httpPort);
  const path = `${url.pathname}${url.search}`;
  return await fetchPage({ protocol, host: url.hostname, address, port, path, timeoutMs: network.timeoutMs });
}

async function firstAddress(host: string, lookup: Lookup): Promise<string | undefined> {
  const answer = await lookup.addressesOf(host);
  return answer.status === 'found' ? answer.addresses[0] : undefined;
}
