/**
 * Which domain a host name stands for. The same rule maps a request to its page and an origin to the catalogue.
 */

/**
 * The names an address bar's host may stand for, most literal first: the host itself, without `www.`, and
 * both without `.localhost` (for trying a domain on one's own machine).
 * @param host a host name with or without port, in any letter case, as in the header `Host`
 */
export function namesOfHost(host: string): string[] {
  const bare = host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
  const names = [bare];
  if (bare.endsWith('.localhost')) names.push(bare.slice(0, -'.localhost'.length));
  for (const name of [...names]) if (name.startsWith('www.')) names.push(name.slice('www.'.length));
  return names;
}
