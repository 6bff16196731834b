import type { Settings } from './settings.ts';

/** The host name that a request was sent to, as the gateway saw it. Undefined without a gateway. */
export function requestHost(
  request: Request,
  { hostHeader }: Pick<Settings, 'hostHeader'>,
): string | undefined {
  return (hostHeader && request.headers.get(hostHeader)) || undefined;
}
