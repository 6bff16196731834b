import type { Settings } from '../config/settings.ts';

/**
 * The origin of the dashboard in messages: SITE_URL, or https on the host that has /admin, or this machine.
 * @param hosts the catalogue's own hosts
 */
export function siteUrlOf(
  { messages, adminHost, port }: Pick<Settings, 'messages' | 'adminHost' | 'port'>,
  hosts: readonly string[],
): string {
  const host = adminHost ?? hosts[0];
  return messages.siteUrl ?? (host === undefined ? `http://localhost:${port}` : `https://${host}`);
}
