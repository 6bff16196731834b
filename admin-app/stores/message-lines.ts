/**
 * The first lines of messages, by offer id. Rows request theirs when they are drawn, all of one moment in one call. A
 * message never changes, so each is read once in a session.
 */
import { map } from 'nanostores';
import { MAX_IDS, type MessageLinesApi } from '../api/message-lines.ts';
import { SessionEnded } from '../api/with-fresh-token.ts';

/** @param onSessionEnded is called where the server has ended the session */
export function createMessageLines({ readMessageLines }: MessageLinesApi, onSessionEnded: () => void) {
  const $messageLines = map<Readonly<Record<string, string>>>({});
  /** Of this session; another one has another set. */
  let requested = new Set<string>();
  let wanted: string[] = [];

  function requestMessageLine(id: string): void {
    if (requested.has(id)) return;
    requested.add(id);
    if (wanted.push(id) === 1) queueMicrotask(readWanted);
  }

  async function readWanted(): Promise<void> {
    const [ids, session] = [wanted, requested];
    wanted = [];
    try {
      for (let first = 0; first < ids.length; first += MAX_IDS) {
        const lines = await readMessageLines(ids.slice(first, first + MAX_IDS));
        if (session !== requested || lines === 'unavailable') return;
        $messageLines.set({ ...$messageLines.get(), ...lines });
      }
    } catch (error) {
      // Rows that are drawn later request theirs again.
      for (const id of ids) session.delete(id);
      if (session !== requested) return;
      if (error instanceof SessionEnded) onSessionEnded();
      else console.info('Messages are not known', error);
    }
  }

  /** Clears everything on sign-out. */
  function resetMessageLines(): void {
    requested = new Set();
    wanted = [];
    $messageLines.set({});
  }

  return { $messageLines, requestMessageLine, resetMessageLines };
}
