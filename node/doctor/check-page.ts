import type { Fetched } from './fetch-page.ts';
import { type Finding, findingsOf } from './finding.ts';
import { isSameName, redirectOf, type Visit } from './visit-host.ts';

/** Of the served build, decompressed. */
export interface ExpectedPages {
  /** The page of the host; undefined where the build has none. */
  readonly page: Buffer | undefined;
  /** The page of unknown hosts. */
  readonly root: Buffer | undefined;
}

/** Judges which page an address of a host responds with. */
export function checkPage(host: string, { secure, plain, end }: Visit, expected: ExpectedPages): Finding {
  const { ok, skip, warn, fail } = findingsOf('page');
  if (secure.status === 'failed' && plain.status === 'failed') {
    return fail(describeFailure(plain.code === 'ECONNREFUSED' ? secure.code : plain.code));
  }
  if (!end.fetched) return skip('The page was not compared, because of the redirect.');
  if (end.fetched.status === 'failed') return fail(`${end.url} failed (${end.fetched.code}).`);
  if (end.fetched.code !== 200) return fail(describeCode(end.fetched.code));
  if (!expected.page) {
    return fail('The served build has no page for it: run npm run build, and check that it succeeds.');
  }
  const { body } = end.fetched;
  if (!body.equals(expected.page)) return fail(describeOther(host, body, expected));
  if (secure.status === 'failed') {
    return warn('The page equals the served build, but over http only: see its certificate.');
  }
  return ok('The page equals the served build.');
}

/** Judges the redirects of an address of a host. */
export function checkRedirect(host: string, { secure, plain, end }: Visit): Finding | undefined {
  const { ok, warn, fail } = findingsOf('redirect');
  const remedy = 'Remove the redirect at the proxy or the registrar.';
  if (end.status === 'elsewhere') return fail(`It redirects to another site: ${end.url} ${remedy}`);
  if (end.status === 'loop') return fail(`It redirects in a circle, to ${end.url} at last. ${remedy}`);
  if (secure.status === 'failed') return undefined;
  if (end.url.startsWith('http:')) return fail(`https redirects back to ${end.url} ${remedy}`);
  if (plain.status === 'failed') {
    return warn(
      `http does not respond (${plain.code}): visitors who type http:// see nothing. Let the proxy redirect to https.`,
    );
  }
  const next = redirectOf(`http://${host}/`, plain);
  if (!next)
    return warn(`http responds with ${plain.code} without a redirect: let the proxy redirect to https.`);
  if (!isSameName(next.hostname, host)) {
    return fail(`http redirects to another site: ${next.href} ${remedy}`);
  }
  return ok('http redirects to https.');
}

/** Whether a response is the page of the build. */
export function isExpected(fetched: Fetched | undefined, { page }: ExpectedPages): boolean {
  return fetched?.status === 'response' && fetched.code === 200 && page?.equals(fetched.body) === true;
}

function describeOther(host: string, body: Buffer, { root }: ExpectedPages): string {
  const own = /<link rel="canonical" href="https?:\/\/([\w.:-]{1,260})[/"]/.exec(body.toString())?.[1];
  const forward = 'The proxy has to forward the Host header.';
  if (root?.equals(body)) return `It responds with the page of unknown hosts. ${forward}`;
  if (own === undefined) {
    return 'It responds with a page that is not of this site: point it to your server, and check the proxy.';
  }
  if (isSameName(own, host)) {
    return 'It responds with its page, but of another build: run npm run build. If that does not help, a cache in front keeps or changes pages.';
  }
  return `It responds with the page of ${own}. ${forward}`;
}

function describeCode(code: number): string {
  if ([502, 503, 504].includes(code)) {
    return `It responds with ${code}: the proxy does not reach the product. Is it running, on the port that the proxy has?`;
  }
  if (code === 404)
    return 'It responds with 404: the proxy has to forward the Host header, and the build has to have the name.';
  return `It responds with ${code} instead of a page: see the log of the proxy.`;
}

function describeFailure(code: string): string {
  if (code === 'ECONNREFUSED') return 'Nothing listens there for http or https: start the proxy.';
  if (code === 'TIMEOUT')
    return 'There is no response in time: is the machine up, and do its firewalls allow http and https?';
  return `Neither http nor https responds (${code}).`;
}
