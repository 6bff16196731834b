/**
 * The device token of the last sign-in here. It survives signing out, so that the owner can sign in while others use up
 * the limits. In IndexedDB and not in localStorage, which holds the session and is empty without one. Where the browser
 * stores nothing there is no token, and signing in works without.
 */

const DATABASE = 'admin';
const STORE = 'device';
const KEY = 'token';

export async function readDeviceToken(): Promise<string | undefined> {
  const token: unknown = await withStore('readonly', (store) => store.get(KEY)).catch(() => undefined);
  return typeof token === 'string' ? token : undefined;
}

export async function storeDeviceToken(token: string): Promise<void> {
  await withStore('readwrite', (store) => store.put(token, KEY)).catch(() => undefined);
}

async function withStore<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await resultOf(opening);
  try {
    return await resultOf(act(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
