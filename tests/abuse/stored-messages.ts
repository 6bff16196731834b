/** The messages that a product has stored: how they stand, and what only time or an administrator changes. */

import type { Returned } from '#contract/calls.ts';
import { takeDataFolder } from '../../server/embedded/data-folder.ts';
import { openDatabase } from '../../server/embedded/open-database.ts';
import { withProject } from '../../server/embedded/with-project.ts';
import { PUBLIC_KEY } from '../support/product.ts';
import type { AbusedProduct } from './abused-product.ts';

export type MessageState = Returned<'read_message_state'>;

/** How the messages of a running product stand, as the owner's commands read it. */
export async function readMessages(dataDir: string): Promise<MessageState> {
  return await withProject({ dataDir, supabase: undefined }, (project) =>
    project.call('read_message_state', {}),
  );
}

/**
 * Moves the messages of a stopped product ten minutes into the past: digests are due then, and the next messages to a
 * target are none.
 */
export async function passTenMinutes(dataDir: string): Promise<void> {
  const folder = await takeDataFolder(dataDir);
  const database = await openDatabase(folder, { ...folder.secrets, publishableKey: PUBLIC_KEY });
  try {
    await database.sql.exec(`
      update private.messages set
        created_at = created_at - interval '10 minutes',
        due_at = due_at - interval '10 minutes',
        leased_until = leased_until - interval '10 minutes'
    `);
  } finally {
    await database.close();
    folder.release();
  }
}

/** Has queued and failed messages tried again, by an administrator. */
export async function retryMessages(product: AbusedProduct): Promise<void> {
  const response = await product.requestAsAdmin({
    method: 'POST',
    path: '/rest/v1/rpc/retry_messages',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  if (response.status !== 200) throw new Error(`retry_messages failed with ${response.status}`);
}
