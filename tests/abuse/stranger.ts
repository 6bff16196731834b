/** Someone who can sign in and administers nothing: made in the data folder of a product that is not running. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeDataFolder } from '../../node/embedded-backend/data-folder.ts';
import { openDatabase } from '../../node/embedded-backend/open-database.ts';
import { PUBLIC_KEY } from '../support/product.ts';
import { dataKeys } from './data-keys.ts';

export const STRANGER = { email: 'stranger@example.com', password: 'a password of a stranger' };

export async function addStranger(dataDir: string): Promise<void> {
  const folder = await takeDataFolder(dataDir);
  const database = await openDatabase(folder, { ...folder.secrets, publishableKey: PUBLIC_KEY });
  try {
    const answer = await database.fetch(
      new Request('http://embedded/auth/v1/signup', {
        method: 'POST',
        headers: { apikey: folder.secrets.secretKey, 'content-type': 'application/json' },
        body: JSON.stringify(STRANGER),
      }),
    );
    if (!answer.ok) throw new Error(`signing up answered ${answer.status}`);
  } finally {
    await database.close();
    folder.release();
  }
}

/** The stranger's access token, by the password grant that only the functions reach on the database's own port. */
export async function strangersToken(dataDir: string): Promise<string> {
  const { origin } = JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')) as { origin: string };
  const answer = await fetch(`${origin}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: dataKeys(dataDir).secretKey, 'content-type': 'application/json' },
    body: JSON.stringify(STRANGER),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  return access_token;
}
