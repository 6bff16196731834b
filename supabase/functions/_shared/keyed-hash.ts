const keys = new Map<string, Promise<CryptoKey>>();

/**
 * Returns the HMAC-SHA-256 of `text` in hexadecimal, so that the text (a token, an ip, an email) cannot be guessed from
 * what the database stores. The key is derived from the service role's key. Different purposes give unrelated hashes.
 */
export async function keyedHash(secretKey: string, purpose: string, text: string): Promise<string> {
  const key = await keyOf(secretKey);
  const bytes = new Uint8Array(
    await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${purpose}\n${text}`)),
  );
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

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
