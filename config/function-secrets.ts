import { FUNCTION_SETTINGS } from '#contract/settings.ts';
import type { Settings } from './settings.ts';

/** What the functions get: settings that are set, by name. */
export function functionSecrets(settings: Settings): Record<string, string> {
  const all = Object.entries(managedSecrets(settings));
  return Object.fromEntries(all.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/**
 * The secrets of the functions that the settings decide; others of the project are left alone. With the site key of
 * Turnstile alone, its secret was set in the project's dashboard, and stays.
 */
export function managedSecrets({ functionsEnv, turnstile }: Settings): Record<string, string | undefined> {
  const names = FUNCTION_SETTINGS.filter(
    (name) => !(turnstile?.secretKey === '' && name.startsWith('TURNSTILE_')),
  );
  return Object.fromEntries(names.map((name) => [name, functionsEnv[name]]));
}
