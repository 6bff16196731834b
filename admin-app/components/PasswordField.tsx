import { type Ref, useState } from 'react';

interface Props {
  ref: Ref<HTMLInputElement>;
  /** The id of the error message. */
  describedBy: string | undefined;
}

export function PasswordField({ ref, describedBy }: Props) {
  const [shown, setShown] = useState(false);
  return (
    <div className="field">
      <label htmlFor="password">Password</label>
      <div className="password">
        <input
          ref={ref}
          id="password"
          name="password"
          type={shown ? 'text' : 'password'}
          placeholder="Enter admin password"
          autoComplete="current-password"
          autoCapitalize="none"
          spellCheck={false}
          aria-describedby={describedBy}
          required
        />
        <button
          type="button"
          className="icon"
          aria-pressed={shown}
          aria-label={shown ? 'Hide password' : 'Show password'}
          onClick={() => setShown(!shown)}
        >
          <Eye crossed={shown} />
        </button>
      </div>
    </div>
  );
}

function Eye({ crossed }: { crossed: boolean }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12Z" />
      <circle cx="12" cy="12" r="3" />
      {crossed && <path d="m4 3 16 18" />}
    </svg>
  );
}
