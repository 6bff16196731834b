import { LANGUAGES, messagesOf } from '../../src/i18n/languages.ts';
import { EMBEDDED_PUBLISHABLE_KEY, isLoopback, type Settings } from '../config/settings.ts';
import type { BackendOptions } from '../embedded-backend/backend.ts';
import { CLIENT_IP_HEADER } from '../http/client-ip.ts';

/**
 * What the embedded backend needs of the settings.
 * @param names every domain of the catalogue
 * @param onLog receives each line of its processes' logs
 */
export function backendOptions(
  settings: Settings,
  names: () => readonly string[],
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
      LOCAL_PORT: String(settings.port),
    },
    onLog,
    siteWords: () => [...headers(), ...names()],
  };
}

/** The headers of the pages in every language. */
function headers(): string[] {
  return LANGUAGES.map((language) => messagesOf(language).page.header);
}
