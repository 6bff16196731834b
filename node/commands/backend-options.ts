import { loadCatalogue } from '../../src/catalogue/load.ts';
import { LANGUAGES, messagesOf } from '../../src/i18n/languages.ts';
import { siteUrlOf } from '../../supabase/functions/deliver/site-url.ts';
import { EMBEDDED_PUBLISHABLE_KEY, isLoopback, type Settings } from '../config/settings.ts';
import type { BackendOptions } from '../embedded-backend/backend.ts';
import { CLIENT_IP_HEADER } from '../http/client-ip.ts';

/**
 * What the embedded backend needs of the settings.
 * @param hosts the catalogue's own hosts
 * @param onLog receives each line of its processes' logs
 */
export function backendOptions(
  settings: Settings,
  hosts: readonly string[],
  onLog: (line: string) => void,
): BackendOptions {
  return {
    dataDir: settings.dataDir,
    publishableKey: EMBEDDED_PUBLISHABLE_KEY,
    functionsEnv: {
      LOOPBACK_ONLY: isLoopback(settings.host) ? '1' : '0',
      ADMIN_HOST: settings.adminHost ?? '',
      SESSION_HOURS: String(settings.sessionHours),
      SESSION_IDLE_MINUTES: String(settings.sessionIdleMinutes),
      RATE_LIMIT_SCALE: String(settings.rateLimitScale),
      CLIENT_ADDRESS_HEADER: CLIENT_IP_HEADER,
      TURNSTILE_SECRET_KEY: settings.turnstile?.secretKey ?? '',
      TURNSTILE_VERIFY_URL: settings.turnstile?.verifyUrl ?? '',
      ...settings.messageEnv,
      SITE_URL: siteUrlOf(settings.messages, { adminHost: settings.adminHost, hosts }, settings.port),
    },
    onLog,
    siteWords,
  };
}

/** The names for sale, and the headers of the pages in every language. */
function siteWords(): string[] {
  const headers = LANGUAGES.map((language) => messagesOf(language).page.header);
  return [...headers, ...loadCatalogue().domains.map(({ name }) => name)];
}
