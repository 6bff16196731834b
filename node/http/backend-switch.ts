/** The backend's paths while the backend starts, works and stops: pages are served all that time. */
import type { ServerResponse } from 'node:http';
import type { SiteHosts } from '#contract/hosts.ts';
import type { BackendProxy } from './backend-proxy.ts';

/** Longest wait for requests in flight, in milliseconds. */
const DRAIN_TIMEOUT_MS = 2_500;

export interface BackendSwitch {
  /** Forwards to the proxy while one is open; otherwise rejects with 503 and `retry-after`. */
  readonly handle: BackendProxy;
  open(proxy: BackendProxy): void;
  /** Rejects from now on. Resolves when the requests in flight have ended, at the latest after `DRAIN_TIMEOUT_MS`. */
  close(): Promise<void>;
}

/** A closed switch. A path that no backend has, or not on this host, is 404 as always. */
export function createBackendSwitch(siteHosts: () => SiteHosts): BackendSwitch {
  const inFlight = new Set<ServerResponse>();
  let onEnded = () => {};
  const rejectAll: BackendProxy = (request, response, target) => {
    loadRejections()
      .then(([{ reject }, { findRoute }]) => {
        const found = findRoute(request.method, target, siteHosts());
        if ('rejected' in found) reject(response, found.rejected, found.headers);
        else reject(response, 'unavailable');
      })
      .catch(() => response.destroy());
  };
  let current = rejectAll;

  return {
    handle(request, response, target) {
      inFlight.add(response);
      response.once('close', () => {
        inFlight.delete(response);
        if (inFlight.size === 0) onEnded();
      });
      current(request, response, target);
    },
    open(proxy) {
      current = proxy;
    },
    close() {
      current = rejectAll;
      return new Promise((resolve) => {
        if (inFlight.size === 0) return resolve();
        const timer = setTimeout(resolve, DRAIN_TIMEOUT_MS);
        onEnded = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}

/** Loads the allow-list with its schemas: a start serves pages before it is needed. */
function loadRejections() {
  return Promise.all([import('./backend-proxy.ts'), import('./check-backend-request.ts')]);
}
