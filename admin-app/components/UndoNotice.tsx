import { useStore } from '@nanostores/react';
import { $undo, undo } from '../stores/admin.ts';
import type { Change } from '../stores/offer-status.ts';
import { DomainName } from './DomainName.tsx';
import { Undo } from './Undo.tsx';

/** Offers to undo the last change of a status. Always there, so that screen readers notice its change. */
export function UndoNotice() {
  const change = useStore($undo);
  return (
    <div className="undo" role="status">
      {change && <Notice change={change} />}
    </div>
  );
}

function Notice({ change: { id, domain, from, to } }: { change: Change }) {
  const field = () => document.querySelector<HTMLElement>(`select[data-offer="${CSS.escape(id)}"]`);
  return (
    <Undo onUndo={undo} heir={() => field() ?? document.getElementById('offers-title')}>
      <span key={`${id} ${from} ${to}`}>
        <DomainName name={domain} />: {from} → {to}.
      </span>
    </Undo>
  );
}
