import type { MouseEvent, ReactNode } from 'react';
import { openPage } from '../stores/admin.ts';
import { PAGE_PATHS, type Page } from '../stores/page.ts';

interface Props {
  page: Page;
  /** With `#`: what the page shows. */
  fragment?: string;
  /** Whether it is the page that is shown. */
  current?: boolean;
  className?: string;
  children: ReactNode;
}

/** A link to an admin page, which opens without a load: what is typed elsewhere stays. */
export function PageLink({ page, fragment = '', current = false, className, children }: Props) {
  return (
    <a
      href={PAGE_PATHS[page] + fragment}
      className={className}
      aria-current={current ? 'page' : undefined}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        openPage(page, fragment);
      }}
    >
      {children}
    </a>
  );
}

/** Others open a tab or a window, or save the page. */
function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !(metaKey || ctrlKey || shiftKey || altKey);
}
