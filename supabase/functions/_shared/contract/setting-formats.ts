/** Formats of values that an owner sets. Pure: the settings check with them, and their readers parse with them. */
import { EMAIL_PATTERN } from './email-pattern.ts';
import { claimsOf } from './token-claims.ts';

/** Whether a text is an email as the sign-in form and `admin-auth` accept it: at most 254 characters. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && EMAIL_PATTERN.test(text);
}

/** Whether only this machine reaches a host. A proxy on this machine reaches it for others. IPv6 may have brackets. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|::1|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(host);
}

/** A URL takes an IPv4 as it is only if that is written in full. */
const isIpv4 = (text: string) => /^[\d.]+$/.test(text) && URL.parse(`http://${text}`)?.hostname === text;

/** An IPv6 may have a zone (`fe80::1%eth0`). */
const isIpv6 = (text: string) => text.includes(':') && URL.canParse(`http://[${text.split('%')[0]}]`);

export const isIp = (text: string) => isIpv4(text) || isIpv6(text);

/** Returns whether a text is an ip or a network in CIDR notation. */
export function isIpOrNetwork(text: string): boolean {
  const [ip = '', prefix, ...more] = text.split('/');
  if (!isIp(ip) || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIpv4(ip) ? 32 : 128));
}

/** A list with commas, without duplicates and empty entries. */
export function listOf(value = ''): string[] {
  return [...new Set(value.split(',').map((entry) => entry.trim()))].filter((entry) => entry !== '');
}

/** Whether a text is a URL with https, or http on this machine, without a user and password. */
export function isSafeUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/** Whether a text is a URL without a path, a user or a slash at its end, as a project or a site has it. */
export function isOrigin(text: string): boolean {
  return /^https?:/i.test(text) && URL.parse(text)?.origin === text.toLowerCase();
}

/**
 * The addresses of a list such as `ada@example.com, "Hopper, Grace" <grace@example.com>`, without duplicates. Undefined where one
 * cannot be read.
 */
export function recipientsIn(text: string): string[] | undefined {
  const entries = (text.match(/(?:"[^"]*"|[^,])+/g) ?? []).map((entry) => entry.trim());
  const addresses = entries.filter((entry) => entry !== '').map((entry) => senderNamed(entry)?.address);
  return addresses.every((one) => one !== undefined) ? [...new Set(addresses)] : undefined;
}

/** Reads `ada@example.com` or `Ada <ada@example.com>`; undefined for anything else. */
export function senderNamed(text: string): { readonly name: string; readonly address: string } | undefined {
  const [, name = '', address = text] = /^"?([^"<>]*?)"?\s*<([^<>]*)>$/.exec(text) ?? [];
  return isEmail(address) && !/\p{Cc}/u.test(name) ? { name, address } : undefined;
}

/**
 * Whether a text is like `smtps://user:password@host:465`, with both a user and a password, or neither. An `@` in them that is
 * not encoded is rejected: what is meant as the host cannot be known.
 */
export function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url?.hostname || !/^smtps?:$/.test(url.protocol) || url.port === '0') return false;
  if (text.indexOf('@') !== text.lastIndexOf('@')) return false;
  const endsAfterPort = /^\/?$/.test(url.pathname) && !url.search && !url.hash;
  return endsAfterPort && !url.username === !url.password && isEncoded(url.username + url.password);
}

function isEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

/** What precedes the base64 of a secret in Standard Webhooks. */
export const ENCODED_SECRET = 'whsec_';

/** Whether webhooks can be signed with a text: base64 after `whsec_`, or any other text. */
export const isSigningSecret = (text: string) =>
  !text.startsWith(ENCODED_SECRET) ||
  /^(?:[A-Za-z\d+/]{4})+(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(text.slice(ENCODED_SECRET.length));

/** Whether a key of Turnstile is one of Cloudflare's published ones for tests, which accept or reject every token. */
export const isTurnstileTestKey = (key: string) => /^[123]x0{20}/.test(key);

/** Whether a key of Supabase may be sent to every visitor. Keys of the former kind are tokens that name their role. */
export const isPublishableKey = (key: string) =>
  key.startsWith('sb_publishable_') || legacyRole(key) === 'anon';

export const isSecretKey = (key: string) =>
  key.startsWith('sb_secret_') || legacyRole(key) === 'service_role';

function legacyRole(key: string): unknown {
  return (claimsOf(key) as { role?: unknown } | null | undefined)?.role;
}
