import { type Ref, useState } from 'react';
import { Icon } from './Icon.tsx';

interface Props {
  ref: Ref<HTMLInputElement>;
  /** The id of the error message. */
  describedBy: string | undefined;
  hidden: boolean;
}

export function PasswordField({ ref, describedBy, hidden }: Props) {
  const [shown, setShown] = useState(false);
  return (
    <div className="field" hidden={hidden}>
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
          <Icon name={shown ? 'crossedEye' : 'eye'} />
        </button>
      </div>
    </div>
  );
}
