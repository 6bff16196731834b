import { useEffect, useRef } from 'react';
import { clearUpdateError } from '../stores/admin.ts';
import { DismissButton } from './DismissButton.tsx';

/** The error of saving an offer's status, in its row. */
export function UpdateError({ id, message }: { id: string; message: string | undefined }) {
  return message === undefined ? null : <ErrorInRow id={id} message={message} />;
}

function ErrorInRow({ id, message }: { id: string; message: string }) {
  const box = useRef<HTMLDivElement>(null);
  // It makes its row higher, so its end may be below the screen's.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);

  function dismiss() {
    // Otherwise the focus would be lost with the button.
    box.current?.closest('td')?.querySelector('select')?.focus();
    clearUpdateError(id);
  }

  return (
    <div ref={box} className="error row-error">
      <p role="alert">{message}</p>
      <DismissButton what="error" onClick={dismiss} />
    </div>
  );
}
