/** A user without a role, created in the data folder of a stopped product. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeDataFolder } from '../../node/embedded-backend/data-folder.ts';
import { openDatabase } from '../../node/embedded-backend/open-database.ts';
import { PUBLIC_KEY } from '../support/product.ts';
import { dataKeys } from './data-keys.ts';

export const OTHER_USER = { email: 'stranger@example.com', password: 'a password of a stranger' };

export async function addOtherUser(dataDir: string): Promise<void> {
  const folder = await takeDataFolder(dataDir);
  const database = await openDatabase(folder, { ...folder.secrets, publishableKey: PUBLIC_KEY });
  try {
    const response = await database.fetch(
      new Request('http://embedded/auth/v1/signup', {
        method: 'POST',
        headers: { apikey: folder.secrets.secretKey, 'content-type': 'application/json' },
        body: JSON.stringify(OTHER_USER),
      }),
    );
    if (!response.ok) throw new Error(`signing up failed with ${response.status}`);
  } finally {
    await database.close();
    folder.release();
  }
}

/** Gets the user's access token by the password grant, which only the functions can reach on the database's port. */
export async function otherUsersToken(dataDir: string): Promise<string> {
  const { origin } = JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')) as { origin: string };
  const response = await fetch(`${origin}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: dataKeys(dataDir).secretKey, 'content-type': 'application/json' },
    body: JSON.stringify(OTHER_USER),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return access_token;
}
