import { BOT_CHECK_ACTION } from '#contract/bot-check.ts';
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
      const render = () => {
        current.abort();
        current = new AbortController();
        const { signal } = current;
        void repeat(
          async () => {
            const api = await loadTurnstile();
            if (signal.aborted) return;
            widget = api.render(host, options(siteKey, report)) ?? undefined;
            if (widget === undefined) throw new Error('Turnstile did not start.');
          },
          report,
          signal,
        );
      };
      render();
      return {
        renew() {
          if (widget) window.turnstile?.reset(widget);
          else render();
        },
        stop() {
          current.abort();
          if (widget) window.turnstile?.remove(widget);
        },
      };
    },
  };
}

/** Every callback is set: without one, Turnstile throws or fails silently. */
function options(sitekey: string, report: BotCheckReport) {
  return {
    sitekey,
    action: BOT_CHECK_ACTION,
    appearance: 'interaction-only',
    size: 'flexible',
    'response-field': false,
    callback: report.ready,
    // Turnstile tries again by itself after these three (its defaults `retry` and `refresh-…: auto`).
    'expired-callback': report.expired,
    'timeout-callback': report.expired,
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
