/** A user without a role. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataKeys } from './data-keys.ts';

export const OTHER_USER = { email: 'stranger@example.com', password: 'a password of a stranger' };

/**
 * Makes sure of the user on a running product, on the database's port, which only the functions can reach.
 * @returns the user's access token
 */
export async function addOtherUser(dataDir: string): Promise<string> {
  const { origin } = JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')) as { origin: string };
  const { secretKey } = dataKeys(dataDir);
  const post = async (path: string) => {
    const response = await fetch(`${origin}/auth/v1/${path}`, {
      method: 'POST',
      headers: {
        apikey: secretKey,
        authorization: `Bearer ${secretKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ ...OTHER_USER, email_confirm: true }),
    });
    return (await response.json()) as { access_token?: string };
  };
  // Rejected where another test made the user.
  await post('admin/users');
  const { access_token } = await post('token?grant_type=password');
  if (access_token === undefined) throw new Error('the user could not sign in');
  return access_token;
}
