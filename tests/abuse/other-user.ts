/** A user without a role. */
import { PROJECT_URL } from '../../server/embedded/project-options.ts';
import { fetchBySocket } from '../../server/embedded/socket-fetch.ts';
import { dataKeys } from './data-keys.ts';

export const OTHER_USER = { email: 'stranger@example.com', password: 'a password of a stranger' };

/**
 * Makes sure of the user on a running product, by the socket of the owner's commands.
 * @returns the user's access token
 */
export async function addOtherUser(dataDir: string): Promise<string> {
  const { secretKey } = dataKeys(dataDir);
  const post = async (path: string) => {
    const response = await fetchBySocket(dataDir)(`${PROJECT_URL}/auth/v1/${path}`, {
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
