/** Which admin page is shown, by the path of its URL. */
import { atom } from 'nanostores';

export const PAGE_PATHS = { offers: '/admin/dashboard', names: '/admin/names' } as const;
export type Page = keyof typeof PAGE_PATHS;

type Place = Pick<Window, 'location' | 'history' | 'addEventListener'>;

/** @param place is replaced by tests */
export function createPage(place: Place = window) {
  /** The page of the URL, or the one that is shown after signing in. */
  const $page = atom<Page>(pageOf(place.location.pathname) ?? 'offers');

  place.addEventListener('popstate', () => {
    const page = pageOf(place.location.pathname);
    if (page) $page.set(page);
  });

  /** Opens a page as its link does, without loading the document. */
  function openPage(page: Page, fragment = ''): void {
    if (fragment && page === $page.get()) {
      // With its event, by which the page shows what it names.
      place.location.hash = fragment;
      return;
    }
    place.history.pushState(null, '', PAGE_PATHS[page] + fragment);
    $page.set(page);
  }

  return { $page, openPage };
}

/** The server has each path also with a slash at its end. */
function pageOf(path: string): Page | undefined {
  const pages = Object.keys(PAGE_PATHS) as Page[];
  return pages.find((page) => PAGE_PATHS[page] === path.replace(/\/$/, ''));
}
