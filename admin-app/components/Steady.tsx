import { type ReactNode, useEffect, useRef } from 'react';

/** Something above the list that comes, goes or changes its height: the rows on the screen stay where they are. */
export function Steady({ className, children }: { className: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const { current } = box;
    if (!current) return;
    let height = current.offsetHeight;
    const observer = new ResizeObserver(() => {
      const growth = current.offsetHeight - height;
      height += growth;
      // Without a list no row can move.
      const top = document.querySelector('.dashboard table')?.getBoundingClientRect().top ?? Infinity;
      const wasScrolled = top - growth < 0;
      if (growth !== 0 && wasScrolled) window.scrollBy({ top: growth, behavior: 'instant' });
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);

  return (
    <div ref={box} className={className}>
      {children}
    </div>
  );
}
