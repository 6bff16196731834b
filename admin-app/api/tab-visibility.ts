/** Whether the browser's tab is on the screen. */
export const tabVisibility = {
  isHidden: () => document.visibilityState === 'hidden',
  listen(onChange: () => void): () => void {
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  },
};
