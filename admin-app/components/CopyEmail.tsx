import { useStore } from '@nanostores/react';
import { useId } from 'react';
import { $copied, copy } from '../stores/admin.ts';
import type { Copied } from '../stores/copy.ts';
import { Icon } from './Icon.tsx';
import './copy-email.css';

interface CopyIconProps {
  text: string;
  label: string;
  what: string;
}

/** Copies a text that stands beside it. A check mark confirms it, and `CopyResult` reads it aloud. */
export function CopyIcon({ text, label, what }: CopyIconProps) {
  const id = useId();
  const copied = useStore($copied);
  const result = copied?.by === id ? copied : undefined;
  return (
    <button
      type="button"
      className="icon copy"
      aria-label={label}
      title={label}
      data-result={result && (result.isCopied ? 'copied' : 'failed')}
      onClick={() => copy(text, id, what)}
    >
      <Icon name={result?.isCopied ? 'check' : 'copy'} />
      {result && <span aria-hidden="true">{result.isCopied ? 'Copied' : 'Not copied'}</span>}
    </button>
  );
}

/** Reads the result aloud; always there, so that screen readers notice its change. */
export function CopyResult() {
  const copied = useStore($copied);
  return (
    <p className="visually-hidden" aria-live="polite">
      {copied && resultOf(copied)}
    </p>
  );
}

function resultOf({ isCopied, what = 'Email' }: Copied): string {
  return isCopied ? `${what} copied` : `The ${what.toLowerCase()} could not be copied`;
}
