/** What a check found, and the problems that several checks describe. */
import { type CheckedResponse, messageOf } from './requests.ts';

/** `why`: what was wrong and what to do, or the reason why the check was left out. */
export type Finding =
  | { readonly status: 'passed'; readonly what: string }
  | { readonly status: 'failed' | 'left out'; readonly what: string; readonly why: string };

export const DEPLOY = 'Run npm run deploy:backend again.';
const MIGRATE = `The project does not know it: its migrations are not applied, or its data API has not reloaded yet. ${DEPLOY}`;

/** @param why undefined where the check passed */
export function finding(what: string, why: string | undefined): Finding {
  return why === undefined ? { status: 'passed', what } : { status: 'failed', what, why };
}

/** Describes a response that should be 401 or 403. */
export function rejectedProblem(response: CheckedResponse): string | undefined {
  if (response.status === 401 || response.status === 403) return undefined;
  if (response.status === 404) return MIGRATE;
  if (response.status === 0 || response.status >= 500) return unavailable(response);
  return `It responded with ${response.status} instead of 401 or 403: a grant is too wide. ${DEPLOY}`;
}

export function unavailable(response: CheckedResponse): string {
  return response.status === 0
    ? `There was no response (${messageOf(response)}). Check SUPABASE_URL, and that the project is not paused.`
    : `It responded with ${response.status}: ${messageOf(response)}`;
}
