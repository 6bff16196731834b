import { useStore } from '@nanostores/react';
import { $filter } from '../stores/admin.ts';
import { countOf, useCounts } from './use-counts.ts';

/** What held or low offers are, above their list; above any other, that it is without the held ones. */
export function HeldNote() {
  const counts = useCounts();
  const held = typeof counts === 'object' ? counts.held : 0;
  const filter = useStore($filter);
  if (filter.low) {
    return (
      <p key="low">
        Low: these offers are below the minimum of their domain. The page showed this and promised no reply.
      </p>
    );
  }
  if (filter.held) {
    return (
      <p key="held">
        Held for review: these offers arrived while unusually many were being made, so some of them may come
        from a program. They are stored like all others.
      </p>
    );
  }
  return held > 0 ? (
    <p key={held}>
      Without {countOf(held)} held for review: see <strong>Held</strong>.
    </p>
  ) : null;
}
