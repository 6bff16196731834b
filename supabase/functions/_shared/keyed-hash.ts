/**
 * Hashes that only this project can make: what they stand for (a token, an ip, an email) cannot be
 * guessed from the database. The key comes from the service role's key, so there is no further secret to keep.
 */

/** HMAC-SHA-256 of `text` in hexadecimal. Different purposes give unrelated hashes. */
export async function keyedHash(secretKey: string, purpose: string, text: string): Promise<string> {
  const key = await keyOf(secretKey);
  const bytes = new Uint8Array(
    await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${purpose}\n${text}`)),
  );
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const keys = new Map<string, Promise<CryptoKey>>();

function keyOf(secretKey: string): Promise<CryptoKey> {
  let key = keys.get(secretKey);
  if (!key) {
    key = crypto.subtle.importKey(
      'raw',
      new TextEncoder().encode(`domain-storefront/${secretKey}`),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign'],
    );
    keys.set(secretKey, key);
  }
  return key;
}
