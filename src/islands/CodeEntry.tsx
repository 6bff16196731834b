import { useRef, useState } from 'react';
import { findToken, tokenOfCode } from '#contract/link-code.ts';
import type { NegotiationMessages } from '../i18n/messages.ts';

interface Props {
  messages: NegotiationMessages['cut'];
  /** Opens a token. */
  onOpen: (token: string) => void;
}

/** Takes the code of the email in place of a link that a mail program cut. */
export function CodeEntry({ messages, onOpen }: Props) {
  const [code, setCode] = useState('');
  const [isWrong, setWrong] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // Some paste the whole link.
        const token = findToken(code) ?? tokenOfCode(code);
        if (token) return onOpen(token);
        setWrong(true);
        field.current?.focus();
      }}
    >
      <div className="cells">
        <div className="field">
          <label htmlFor="code">{messages.code}</label>
          <input
            ref={field}
            id="code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            required
            value={code}
            onChange={({ target }) => {
              setCode(target.value);
              setWrong(false);
            }}
            aria-invalid={isWrong || undefined}
            aria-describedby={isWrong ? 'code-hint code-wrong' : 'code-hint'}
          />
          <small id="code-hint">{messages.hint}</small>
        </div>
        <div className="action">
          <button type="submit" className="button">
            {messages.open}
          </button>
        </div>
      </div>
      {isWrong && (
        <p id="code-wrong" className="error" role="alert">
          {messages.wrong}
        </p>
      )}
    </form>
  );
}
