/** What the project's own settings open; and whether the public key is this project's. */
import { DEPLOY, type Finding, finding, unavailable } from './findings.ts';
import { type CheckedResponse, messageOf, type Send } from './requests.ts';

/** @returns whether the project can be reached with the key: without it, every route looks closed */
export async function* checkAuthSettings(send: Send): AsyncGenerator<Finding, boolean> {
  const response = await send('GET', '/auth/v1/settings', {});
  const isReached = response.status === 200 && response.json instanceof Object;
  const what = 'auth: sign-up is off, sign-in with a password is on';
  yield finding(what, isReached ? settingsProblem(response) : reachProblem(response));
  return isReached;
}

function settingsProblem({ json }: CheckedResponse): string | undefined {
  const { disable_signup, external } = json as {
    disable_signup?: boolean;
    external?: Record<string, boolean>;
  };
  if (disable_signup !== true || external?.anonymous_users === true) {
    return `Everybody can create an account. ${DEPLOY} Or turn sign-ups off in the project’s dashboard.`;
  }
  if (external?.email === true) return undefined;
  return 'The email provider is off, so nobody can sign in. Turn it on.';
}

function reachProblem(response: CheckedResponse): string {
  const rest = 'The other checks were not made.';
  if (response.status === 401 || response.status === 403) {
    return (
      `The project rejected the public key (${messageOf(response)}). Copy SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY from ` +
      `the same project. ${rest}`
    );
  }
  return response.status === 200
    ? `The response is no JSON: SUPABASE_URL leads to something else. ${rest}`
    : `${unavailable(response)} ${rest}`;
}
