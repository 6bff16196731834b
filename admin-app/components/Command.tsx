import { useStore } from '@nanostores/react';
import { $copied, copy } from '../stores/admin.ts';

/** A command for the server, with a button that copies it. */
export function Command({ text, about }: { text: string; about?: string }) {
  const copied = useStore($copied);
  const by = `command ${text}`;
  return (
    <p className="command">
      {about && <span>{about}</span>}
      <code translate="no">{text}</code>
      <button
        type="button"
        className="button quiet"
        aria-label={`Copy command ${text}`}
        onClick={() => copy(text, by, 'Command')}
      >
        {copied?.by === by && copied.isCopied ? 'Copied' : 'Copy'}
      </button>
    </p>
  );
}
