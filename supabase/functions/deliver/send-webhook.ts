/** Sends a delivery to a webhook. */
import type { Delivery, Outcome, ServerFailure } from './delivery.ts';
import { failed, firstLine } from './failure.ts';
import { type WebhookContext, webhookRequest } from './webhook-request.ts';

const TIMEOUT_MS = 10_000;

/** Characters of a response that are used at most. */
const MAX_RESPONSE = 8 * 1024;

/** Characters of a part of a URL that may be a token. */
const MIN_SECRET_PART = 12;

/** Statuses of a webhook that is overloaded or out of order. */
const isBusy = (status: number) => status >= 500 || [408, 425, 429].includes(status);

/** Statuses by which a service rejects a secret or a URL. 403 and 405 may as well be about one text. */
const isRejected = (status: number) => status < 400 || [401, 403, 404, 405, 410].includes(status);
const UNCERTAIN = [403, 405];

/** Makes one attempt: no redirect is followed, and any status but 2xx is a failure. Never throws. */
export async function sendWebhook(
  delivery: Delivery,
  context: WebhookContext,
  timeoutMs = TIMEOUT_MS,
): Promise<Outcome> {
  const { target } = delivery;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const request = webhookRequest(delivery, context);
    const response = await fetch(target, { ...request, method: 'POST', redirect: 'manual', signal });
    if (response.ok) {
      // It is stored over there, whatever the rest of the response is.
      response.body?.cancel().catch(() => {});
      return { status: 'sent', response: `HTTP ${response.status}` };
    }
    const text = firstLine(await startOf(response));
    const failure = failureOf(response.status, target);
    return failed(`${statusOf(response)}${text && `: ${text}`}`, {
      permanent: failure === undefined,
      failure,
      secrets: secretsOf(target),
    });
  } catch (error) {
    const failure = failureOf(undefined, target);
    if (signal.aborted) return failed(`No response within ${timeoutMs / 1000} seconds.`, { failure });
    return failed(`Could not connect: ${causeOf(error)}`, { failure, secrets: secretsOf(target) });
  }
}

/**
 * @param status undefined without a response
 * @returns undefined where this text was rejected
 */
function failureOf(status: number | undefined, target: string): ServerFailure | undefined {
  const webhook = `The webhook at ${new URL(target).hostname}`;
  if (status === undefined || isBusy(status)) {
    const problem = `${webhook} ${status === undefined ? 'cannot be reached.' : `is out of order (HTTP ${status}).`}`;
    return { problem, reply: status === undefined ? 'none' : 'busy', lasting: false, certain: false };
  }
  if (!isRejected(status)) return undefined;
  const problem = `${webhook} does not accept its URL or secret (HTTP ${status || 'redirect'}): check NOTIFY_URL and NOTIFY_SECRET.`;
  return { problem, reply: `HTTP ${status}`, lasting: true, certain: !UNCERTAIN.includes(status) };
}

function statusOf({ status, type }: Response): string {
  const redirect = type === 'opaqueredirect' || (status >= 300 && status < 400);
  return redirect ? `HTTP ${status || 'redirect'} (redirects are not followed)` : `HTTP ${status}`;
}

/** The start of a response as text. The rest is not read. */
async function startOf({ body }: Response): Promise<string> {
  let text = '';
  try {
    for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      if (text.length >= MAX_RESPONSE) break;
    }
  } catch {
    // The status is known, and that is what counts.
  }
  return text.slice(0, MAX_RESPONSE);
}

/** What fails below HTTP: Node has it as the error's cause, Deno at the end of its message. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const { cause } = error;
  if (cause instanceof Error) {
    const { code } = cause as NodeJS.ErrnoException;
    return code ?? (cause.message || cause.name);
  }
  return error.message.split(': ').at(-1) || error.name;
}

/** The URL of a webhook is what lets requests in, so that no reason may hold it or its longer parts. */
function secretsOf(target: string): string[] {
  const { pathname, search } = new URL(target);
  const parts = `${pathname}${search}`.split(/[/?&=]/).filter((part) => part.length >= MIN_SECRET_PART);
  return [target, `${pathname}${search}`, ...parts];
}
