/** Access tokens that the server never issued. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';

/** @param subject a user's id @param realToken a token of another user, to be modified */
export function forgedTokens(subject: string, realToken: string): Record<string, string> {
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub: subject, aud: 'authenticated', role: 'authenticated', iat: now, exp: now + 3600 };
  const service = { ...claims, role: 'service_role' };
  const [head = '', body = '', signature = ''] = realToken.split('.');
  const bent = Buffer.from(body, 'base64url').toString().replace('"authenticated"', '"service_role"');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const rsa = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(service)}`;
  return {
    'algorithm none': `${part({ alg: 'none', typ: 'JWT' })}.${part(service)}.`,
    'algorithm NONE with a signature': `${part({ alg: 'NONE' })}.${part(service)}.${signature}`,
    'no algorithm': `${part({ typ: 'JWT' })}.${part(claims)}.${signature}`,
    'a guessed secret': hs256(service, 'super-secret-jwt-token-with-at-least-32-characters-long'),
    'an empty secret': hs256(service, ''),
    'the public key as secret': hs256(service, 'sb_publishable_embedded'),
    'a key of its own': `${rsa}.${sign('sha256', Buffer.from(rsa), privateKey).toString('base64url')}`,
    'another role under a real signature': `${head}.${Buffer.from(bent).toString('base64url')}.${signature}`,
    'a real token without signature': `${head}.${body}.`,
    'a real token, cut': realToken.slice(0, -3),
    'a path as key id': hs256({ ...service }, '', { kid: '../../../../dev/null' }),
    'no token': 'null',
    'three dots': '...',
    'broken JSON': 'e30.bm90IGpzb24.c2ln',
  };
}

/** A token signed with a secret of ours or of the server's. */
export function hs256(claims: object, secret: string, header: object = {}): string {
  const text = `${part({ alg: 'HS256', typ: 'JWT', ...header })}.${part(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
