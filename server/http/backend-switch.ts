/** The backend's paths while the backend starts, works and stops: pages are served all that time. */
import type { SiteHosts } from '#contract/hosts.ts';
import type { BackendProxy } from './backend-proxy.ts';

/** Longest wait for requests in flight, in milliseconds. */
const DRAIN_TIMEOUT_MS = 2_500;

export type BackendSwitch = ReturnType<typeof createBackendSwitch>;

/** A closed switch. A path that no backend has, or not on this host, is 404 as always. */
export function createBackendSwitch(siteHosts: () => SiteHosts) {
  let inFlight = 0;
  let onEnded = () => {};
  const rejectAll: BackendProxy = (request, response, target) => {
    // A start serves pages before the allow-list with its schemas is needed.
    Promise.all([import('./backend-proxy.ts'), import('./check-backend-request.ts')])
      .then(([{ reject }, { findRoute }]) => {
        const found = findRoute(request, target, siteHosts());
        reject(response, 'rejected' in found ? found : { rejected: 'unavailable' });
      })
      .catch(() => response.destroy());
  };
  let current = rejectAll;

  return {
    /** Forwards to the proxy while one is open; otherwise rejects with 503 and `retry-after`. */
    handle(...[request, response, target]: Parameters<BackendProxy>): void {
      inFlight += 1;
      response.once('close', () => {
        inFlight -= 1;
        if (inFlight === 0) onEnded();
      });
      current(request, response, target);
    },
    open(proxy: BackendProxy): void {
      current = proxy;
    },
    /** Rejects from now on. Resolves when the requests in flight have ended, at the latest after `DRAIN_TIMEOUT_MS`. */
    async close(): Promise<void> {
      current = rejectAll;
      if (inFlight === 0) return;
      const ended = Promise.withResolvers<void>();
      onEnded = ended.resolve;
      const timer = setTimeout(ended.resolve, DRAIN_TIMEOUT_MS);
      await ended.promise;
      clearTimeout(timer);
    },
  };
}
