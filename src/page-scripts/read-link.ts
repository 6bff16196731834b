/**
 * Reads what the buyer's link opens as soon as the page is there, while its scripts are loaded: on a slow phone they take seconds.
 * src/api/negotiation.ts takes the response. Where a script cannot be loaded, says so. Inlined, so it imports nothing; a link that
 * a mail program changed is read later.
 */
const TIMEOUT_MS = 15_000;

declare global {
  /** Undefined once it was taken. */
  var linkRead:
    | {
        readonly token: string;
        /** Undefined without a response in JSON. */
        readonly result: Promise<{ readonly status: number; readonly body: unknown } | undefined>;
      }
    | undefined;
}

addEventListener(
  'error',
  ({ target }) => {
    const message = document.querySelector<HTMLTemplateElement>('#not-loaded')?.content;
    // Not one of an extension.
    if (!(target instanceof Element && target.matches('main script')) || !message) return;
    message.querySelector('button')?.addEventListener('click', () => location.reload());
    document.querySelector('[data-props]')?.replaceChildren(message);
  },
  true,
);

const [, token] = /^#([0-9a-f]{32})$/.exec(location.hash) ?? [];
const { functions, key } = document.querySelector<HTMLElement>('#read-link')?.dataset ?? {};
if (token && key) globalThis.linkRead = { token, result: read(token, key).catch(() => undefined) };

async function read(token: string, apikey: string) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), TIMEOUT_MS);
  const response = await fetch(`${functions}/negotiation`, {
    method: 'POST',
    headers: { apikey, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
    signal: controller.signal,
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

export {};
