/** The fragment of the page's URL, with `#`. Writing it loads nothing and calls no listener. */
export const pageFragment = {
  read: () => location.hash,
  /** @param replaces whether Back skips the view before */
  write(fragment: string, replaces: boolean): void {
    const url = location.pathname + location.search + fragment;
    if (replaces) history.replaceState(null, '', url);
    else history.pushState(null, '', url);
  },
};
