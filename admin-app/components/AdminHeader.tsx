import { useStore } from '@nanostores/react';
import { $page, offersStore, refreshNames, signOut } from '../stores/admin.ts';
import type { Page } from '../stores/page.ts';
import { OwnerLogo } from './OwnerLogo.tsx';
import { PageLink } from './PageLink.tsx';
import './admin-header.css';

export const TITLE = 'Domain Sales Admin';

const PAGES = { offers: 'Offers', names: 'Names' } as const satisfies Record<Page, string>;

/** What both pages begin with. */
export function AdminHeader({ email }: { email: string }) {
  const page = useStore($page);
  return (
    <header>
      <h1 className="dot" tabIndex={-1}>
        <OwnerLogo />
        {TITLE}
      </h1>
      <nav aria-label="Pages">
        {(Object.keys(PAGES) as Page[]).map((each) => (
          <PageLink key={each} page={each} current={each === page}>
            {PAGES[each]}
          </PageLink>
        ))}
      </nav>
      <span>
        Welcome, <bdi>{email}</bdi>
      </span>
      <button
        type="button"
        className="button quiet"
        onClick={page === 'names' ? refreshNames : offersStore.refresh}
      >
        Refresh
      </button>
      <button type="button" className="button quiet" onClick={signOut}>
        Logout
      </button>
    </header>
  );
}
