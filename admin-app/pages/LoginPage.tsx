import { useStore } from '@nanostores/react';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Credentials } from '#contract/sign-in.ts';
import { OwnerLogo } from '../components/OwnerLogo.tsx';
import { PasswordField } from '../components/PasswordField.tsx';
import passwordStyles from '../components/password-field.css?inline';
import { useStyles } from '../components/use-styles.ts';
import { $session, $signIn, signIn } from '../stores/admin.ts';
import styles from './login-page.css?inline';

/** Rejections of `admin-auth` that the field for a code comes with. */
const CODE_REJECTIONS = new Set(['code_required', 'wrong_code', 'too_many_codes']);

/** @param isAnnounced the page before was another one: screen readers read the heading */
export default function LoginPage({ isAnnounced }: { isAnnounced: boolean }) {
  useStyles(styles + passwordStyles);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isAnnounced) heading.current?.focus();
  }, [isAnnounced]);
  const state = useStore($signIn);
  const session = useStore($session);
  const ended = session.status === 'signedOut' ? session.reason : undefined;
  const password = useRef<HTMLInputElement>(null);
  const busy = state.status === 'busy';
  const failure = state.status === 'failed' ? 'failure' : undefined;
  const code = useRef<HTMLInputElement>(null);
  const rejection = state.status === 'failed' ? state.code : undefined;
  const isAboutCode = CODE_REJECTIONS.has(rejection ?? '');
  // The field stays while a request is under way, and after another error, until the user goes back.
  const [asksForCode, setAsksForCode] = useState(false);
  // Since the last request, whose response leads to the step of the code no more.
  const [isBack, setBack] = useState(false);
  const sent = useRef<Credentials>(undefined);
  const [before, setBefore] = useState(state);
  if (before !== state) {
    setBefore(state);
    if (isAboutCode && !isBack) setAsksForCode(true);
  }
  // The keypad of digits has no letters, which recovery codes have.
  const [isRecovery, setRecovery] = useState(false);
  // Of the step before, once the user has gone back.
  const isOver = isAboutCode && !asksForCode;

  // Selects what was wrong, so that typing replaces it, but nothing that was typed since.
  useEffect(() => {
    if (state.status !== 'failed') return;
    const form = new FormData(password.current?.form ?? undefined);
    const isAsSent = Object.entries(sent.current ?? {}).every(([name, value]) => form.get(name) === value);
    if (isAsSent || state.code === 'code_required') (isAboutCode ? code : password).current?.select();
  }, [state, isAboutCode]);

  function goBack() {
    // A hidden field takes no focus.
    flushSync(() => {
      setBack(true);
      setAsksForCode(false);
      setRecovery(false);
    });
    password.current?.select();
  }

  function takeRecoveryCode() {
    flushSync(() => setRecovery(true));
    code.current?.focus();
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = form.get('code');
    sent.current = {
      email: String(form.get('email')),
      password: String(form.get('password')),
      ...(given !== null && { code: String(given) }),
    };
    setBack(false);
    signIn(sent.current);
  }

  return (
    <main className="login">
      <h1 ref={heading} className="dot" tabIndex={-1}>
        <OwnerLogo />
        Admin Access
      </h1>
      <p>Sign in to access the admin panel</p>
      {ended !== undefined && state.status === 'idle' && (
        <p className="notice" role="status">
          {ended}
        </p>
      )}
      {rejection === 'code_required' && state.status === 'failed' && !isOver && (
        <p id="failure" role="status">
          <strong>{state.message}</strong>
        </p>
      )}
      <form onSubmit={submit}>
        <div className="cells">
          {/* With what was typed, for the next request and for password managers. */}
          <div className="field" hidden={asksForCode}>
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
          <PasswordField
            ref={password}
            describedBy={isAboutCode ? undefined : failure}
            hidden={asksForCode}
          />
          {asksForCode && (
            <div className="field">
              <label htmlFor="code">Code</label>
              <input
                ref={code}
                id="code"
                name="code"
                inputMode={isRecovery ? 'text' : 'numeric'}
                autoComplete={isRecovery ? 'off' : 'one-time-code'}
                autoCapitalize="none"
                spellCheck={false}
                maxLength={100}
                aria-describedby={failure === undefined ? 'code-hint' : `${failure} code-hint`}
                required
              />
              <small id="code-hint" key={isRecovery ? 'recovery' : 'digits'}>
                {isRecovery ? 'One of the codes that you wrote down.' : 'Six digits, or a recovery code.'}
              </small>
            </div>
          )}
          <div className="action">
            <button type="submit" className="button" disabled={busy}>
              {busy ? 'Signing in...' : 'Sign In'}
            </button>
          </div>
        </div>
        {asksForCode && (
          <p className="ways">
            <button type="button" className="button quiet" onClick={goBack}>
              Back
            </button>
            {!isRecovery && (
              <button type="button" className="button quiet" onClick={takeRecoveryCode}>
                Use a recovery code
              </button>
            )}
          </p>
        )}
        {state.status === 'failed' && rejection !== 'code_required' && !isOver && (
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
