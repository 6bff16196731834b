import { useStore } from '@nanostores/react';
import { StrictMode, useEffect, useRef } from 'react';
import { Spinner } from './components/Spinner.tsx';
import { ShownNames } from './components/shown-names.ts';
import './admin.css';
import { DashboardPage } from './pages/DashboardPage.tsx';
import { LoginPage } from './pages/LoginPage.tsx';
import { $session, type Session } from './stores/admin.ts';

/**
 * The admin pages. The session decides which page is shown, and the path follows: a signed-in user gets
 * `/admin/dashboard`, everyone else `/admin/login`.
 * @param shownNames how a person reads those domains' names that are another text
 */
export function App({ shownNames }: { shownNames: Readonly<Record<string, string>> }) {
  const session = useStore($session);
  useAddress(session);
  useFocusOnHeading(session.status);
  return (
    <StrictMode>
      <ShownNames value={shownNames}>{pageFor(session)}</ShownNames>
    </StrictMode>
  );
}

function pageFor(session: Session) {
  switch (session.status) {
    case 'checking':
      return (
        <main className="waiting">
          <Spinner text="Loading..." />
        </main>
      );
    case 'signedOut':
      return <LoginPage />;
    case 'signedIn':
      // Another person is another dashboard: nothing of the one before is left.
      return <DashboardPage key={session.email} email={session.email} />;
  }
}

const ADDRESSES = {
  signedOut: ['/admin/login', 'Admin Access'],
  signedIn: ['/admin/dashboard', 'Domain Sales Admin'],
} as const;

/** Replaces the address instead of adding one, so that Back leaves the admin pages instead of being redirected again. */
function useAddress({ status }: Session) {
  useEffect(() => {
    if (status === 'checking') return;
    const [address, title] = ADDRESSES[status];
    document.title = title;
    if (location.pathname !== address) history.replaceState(null, '', address);
  }, [status]);
}

/** A change of pages without a load is silent for a screen reader, unless the focus goes to the new heading. */
function useFocusOnHeading(status: Session['status']) {
  const before = useRef(status);
  useEffect(() => {
    if (before.current !== 'checking' && before.current !== status) document.querySelector('h1')?.focus();
    before.current = status;
  }, [status]);
}
