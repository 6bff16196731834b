import { useStore } from '@nanostores/react';
import { type SubmitEvent, useEffect, useRef } from 'react';
import { OwnerLogo } from '../components/OwnerLogo.tsx';
import { PasswordField } from '../components/PasswordField.tsx';
import { $session, $signIn, signIn } from '../stores/admin.ts';
import './login-page.css';

export function LoginPage() {
  const state = useStore($signIn);
  const session = useStore($session);
  const ended = session.status === 'signedOut' ? session.reason : undefined;
  const password = useRef<HTMLInputElement>(null);
  const busy = state.status === 'busy';
  const failure = state.status === 'failed' ? 'failure' : undefined;

  // Selects the password, so that typing replaces it.
  useEffect(() => {
    if (state.status === 'failed') password.current?.select();
  }, [state]);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    signIn({ email: String(form.get('email')), password: String(form.get('password')) });
  }

  return (
    <main className="login">
      <h1 className="dot" tabIndex={-1}>
        <OwnerLogo />
        Admin Access
      </h1>
      <p>Sign in to access the admin panel</p>
      {ended !== undefined && state.status === 'idle' && (
        <p className="notice" role="status">
          {ended}
        </p>
      )}
      <form onSubmit={submit}>
        <div className="cells">
          <div className="field">
            <label htmlFor="email">Email</label>
            <input
              id="email"
              name="email"
              type="email"
              placeholder="Enter admin email"
              autoComplete="username"
              aria-describedby={failure}
              required
            />
          </div>
          <PasswordField ref={password} describedBy={failure} />
          <div className="action">
            <button type="submit" className="button" disabled={busy}>
              {busy ? 'Signing in...' : 'Sign In'}
            </button>
          </div>
        </div>
        {state.status === 'failed' && (
          <p id="failure" className="error" role="alert">
            {state.message}
          </p>
        )}
      </form>
      <footer>
        <p>
          Forgot your password? Run <code>npm run admin -- password EMAIL</code> on the server.
        </p>
        Authentication is powered by Supabase.
      </footer>
    </main>
  );
}
