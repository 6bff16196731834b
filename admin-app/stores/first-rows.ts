/**
 * Reads what the first rows need as soon as the session is known, which may have to be refreshed first: while the scripts that
 * show them are still loading. Their page runs this module before those.
 */
import { QueryObserver } from '@tanstack/react-query';
import { $page, $session, client, messagesQuery, offersStore } from './admin.ts';
import { isEmptyFilter, parseFragment } from './fragment.ts';

let stops: (() => void)[] = [];

const stopWaiting = $session.listen(({ status }) => {
  stopWaiting();
  const { filter = {} } = parseFragment(location.hash) ?? {};
  if (status !== 'signedIn' || $page.get() !== 'offers' || !isEmptyFilter(filter)) return;
  stops = [offersStore.listQuery({}), messagesQuery].map((query) =>
    // biome-ignore lint/suspicious/noExplicitAny: of two types of data, and neither is read here
    new QueryObserver(client, query as any).subscribe(() => {}),
  );
});

/** Leaves them to the page once it shows them: without an observer a list is dropped. */
export function endFirstReading(): void {
  for (const stop of stops.splice(0)) stop();
}
