import { BOT_CHECK_ACTION } from '#contract/bot-check.ts';
import { retryDelayMs } from '../retry-delay.ts';
import type { BotCheckProvider, BotCheckReport } from './provider.ts';
import { repeat } from './repeat.ts';

/** Cloudflare requires this URL: no copy, no proxy. */
const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';

/** Cloudflare Turnstile, invisible unless Cloudflare requires a click. */
export function turnstile(siteKey: string): BotCheckProvider {
  return {
    boundToDomain: false,
    start(host, report) {
      let widget: string | undefined;
      let current = new AbortController();
      /** Errors of the widget in a row, and its next reset after one. */
      let errors = 0;
      let retry: ReturnType<typeof setTimeout> | undefined;
      const reset = () => {
        clearTimeout(retry);
        if (widget) window.turnstile?.reset(widget);
      };
      const options = optionsOf(siteKey, {
        ...report,
        ready(token) {
          clearTimeout(retry);
          errors = 0;
          report.ready(token);
        },
        failed() {
          clearTimeout(retry);
          const delayMs = retryDelayMs(errors);
          errors += 1;
          retry = setTimeout(reset, delayMs);
          report.failed(Date.now() + delayMs);
        },
      });
      const render = () => {
        current.abort();
        current = new AbortController();
        const { signal } = current;
        void repeat(
          async () => {
            const api = await loadTurnstile();
            if (signal.aborted) return;
            widget = api.render(host, options) ?? undefined;
            if (widget === undefined) throw new Error('Turnstile did not start.');
          },
          report,
          signal,
        );
      };
      render();
      return {
        renew() {
          if (widget) reset();
          else render();
        },
        stop() {
          current.abort();
          clearTimeout(retry);
          if (widget) window.turnstile?.remove(widget);
        },
      };
    },
  };
}

/** Every callback is set: without one, Turnstile throws or fails silently. */
function optionsOf(sitekey: string, report: Omit<BotCheckReport, 'failed'> & { failed(): void }) {
  return {
    sitekey,
    action: BOT_CHECK_ACTION,
    appearance: 'interaction-only',
    size: 'flexible',
    'response-field': false,
    callback: report.ready,
    // Turnstile tries again by itself after these two (its defaults `refresh-…: auto`).
    'expired-callback': report.expired,
    'timeout-callback': report.expired,
    // Not after an error, so that the page knows when.
    retry: 'never',
    'error-callback': () => {
      report.failed();
      // Handled: no message in the console.
      return true;
    },
    'unsupported-callback': report.unsupported,
  };
}

let loading: Promise<TurnstileApi> | undefined;

/** Loads the script once; after a failure the next call tries again. */
function loadTurnstile(): Promise<TurnstileApi> {
  loading ??= new Promise<TurnstileApi>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = SCRIPT;
    const failed = () => {
      script.remove();
      loading = undefined;
      reject(new Error('Could not load Turnstile.'));
    };
    script.onerror = failed;
    script.onload = () => (window.turnstile ? resolve(window.turnstile) : failed());
    document.head.append(script);
  });
  return loading;
}

interface TurnstileApi {
  /** The widget's id; null where the parameters are wrong. */
  render(host: HTMLElement, options: object): string | null | undefined;
  reset(widget: string): void;
  remove(widget: string): void;
}

declare global {
  interface Window {
    turnstile?: TurnstileApi;
  }
}
