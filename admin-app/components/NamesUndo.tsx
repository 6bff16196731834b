import { useStore } from '@nanostores/react';
import type { NameChange } from '#contract/names.ts';
import { nameChanges } from '../stores/names-admin.ts';
import { namesOf } from './FindNames.tsx';
import { changeText, valueText } from './NamesHistory.tsx';
import { useShownName } from './shown-names.ts';
import { Undo } from './Undo.tsx';

/** Offers to undo the page's last change. Always there, so that screen readers notice its change. */
export function NamesUndo() {
  const last = useStore(nameChanges.$lastChange);
  return (
    <div className="undo" role="status">
      {last && <Notice changes={last.changes} />}
    </div>
  );
}

function Notice({ changes }: { changes: readonly NameChange[] }) {
  const shown = useShownName(changes[0]?.name ?? '');
  const text = textOf(changes, shown);
  return (
    <Undo onUndo={nameChanges.undo} heir={() => document.getElementById('names-title')}>
      <span key={text}>{text}</span>
    </Undo>
  );
}

/** `tidepool.app: price $7,900 → $7,500.`, `4 names: Reserved.` */
function textOf(changes: readonly NameChange[], shown: string): string {
  const [first, ...others] = changes;
  if (!first) return '';
  const names = new Set(changes.map(({ name }) => name)).size;
  if (names > 1) {
    const isOneState = changes.every(({ field, to }) => field === 'state' && to === first.to);
    return isOneState ? `${namesOf(names)}: ${valueText('state', first.to)}.` : `${namesOf(names)} changed.`;
  }
  if (others.length > 0) return `${shown}: ${changes.length} values changed.`;
  return first.field.startsWith('description')
    ? `${shown}: description changed.`
    : `${shown}: ${changeText(first)}.`;
}
