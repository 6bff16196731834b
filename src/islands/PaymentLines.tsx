import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { NegotiationMessages } from '../i18n/messages.ts';
import { Icon } from './Icon.tsx';

/** How long the result of Copy is shown, in milliseconds. */
const SHOWN_MS = 2_000;

interface Line {
  label: string;
  /** As it is shown. */
  value: string;
  /** As it is copied; absent: as it is shown. */
  copied?: string | undefined;
  /** What it is for. */
  hint?: ReactNode;
  /** Whether translators may change it. */
  isWords?: boolean;
}

interface Props {
  lines: readonly Line[];
  messages: NegotiationMessages['deal'];
}

/** What is typed into a payment, each with a button that copies it. */
export function PaymentLines({ lines, messages }: Props) {
  if (lines.length === 0) return null;
  return (
    <dl>
      {lines.map((line) => (
        <CopiedLine key={`${line.label}:${line.value}`} {...{ line, messages }} />
      ))}
    </dl>
  );
}

function CopiedLine({ line, messages }: { line: Line; messages: Props['messages'] }) {
  const { label, value, copied = value, hint, isWords } = line;
  const id = useId();
  const shown = useRef<HTMLElement>(null);
  const [result, setResult] = useState<'done' | 'failed'>();
  useEffect(() => {
    if (!result) return;
    const timer = setTimeout(() => setResult(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const text = messages.copy[result ?? 'label'];

  async function copy() {
    try {
      // Absent on http, except for localhost.
      await navigator.clipboard.writeText(copied);
      setResult('done');
    } catch {
      if (shown.current) getSelection()?.selectAllChildren(shown.current);
      setResult('failed');
    }
  }

  return (
    <div>
      <dt id={id}>{label}</dt>
      <dd>
        <b ref={shown} translate={isWords ? undefined : 'no'}>
          {value}
        </b>
        {hint && <small>{hint}</small>}
        <button
          type="button"
          className="button quiet"
          data-result={result}
          aria-labelledby={`${id}copy ${id}`}
          onClick={copy}
        >
          <Icon name={result === 'done' ? 'done' : 'copy'} />
          <span id={`${id}copy`} key={text}>
            {text}
          </span>
        </button>
        <span className="for-readers" role="status">
          {result && <span key={result}>{`${text}: ${label}`}</span>}
        </span>
      </dd>
    </div>
  );
}
