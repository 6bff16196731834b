import { withoutEnding } from '#contract/message-settings.ts';
import {
  DEFAULT_ADMIN_EMAIL,
  isLoopback,
  isReachedAtLocalhost,
  localOrigin,
  type Settings,
  turnstileTestKeys,
} from '../../config/settings.ts';
import type { AdministratorChange } from '../embedded/administrator.ts';
import { showPassword } from './show-password.ts';

/** How many domains are listed; a long catalogue would push the rest off the screen. */
const LISTED = 12;

const TEST_KEYS =
  'Warning: Turnstile’s keys are for tests, so every offer is rejected. Copy both from your widget to .env.';

export interface Greeting {
  readonly settings: Settings;
  /** The port that is open. */
  readonly port: number;
  /** The domains for sale. */
  readonly domains: readonly string[];
  /** The catalogue's `hosts`. */
  readonly hosts: readonly string[];
  /** Whether these are the sample's domains, because the owner has no catalogue yet. */
  readonly isSample: boolean;
  /** Undefined with a hosted project. */
  readonly administrator: AdministratorChange | undefined;
}

/** Prints what is running, where, and how to sign in. */
export function greet(greeting: Greeting, console = globalThis.console): void {
  const { domains, settings } = greeting;
  const base = localOrigin(settings, greeting.port);
  const pageOf = (name: string) =>
    isReachedAtLocalhost(settings) ? `http://${name}.localhost:${greeting.port}` : `${base}/sites/${name}/`;
  const address = withoutEnding(settings.messages);
  const lines = [
    '',
    `Ready: ${base}`,
    '',
    'Your domains, as visitors will see them:',
    ...domains.slice(0, LISTED).map((name) => `  ${pageOf(name)}`),
    ...(domains.length > LISTED ? [`  … and ${(domains.length - LISTED).toLocaleString('en-US')} more`] : []),
    ...(greeting.isSample
      ? ['  These are a sample. Make your own catalogue: npm run catalogue -- init']
      : []),
    '',
    'Administrator:',
    ...adminLines(greeting, base),
    ...credentials(greeting),
    ...(address === undefined ? [] : ['', `Warning: ${address}`]),
    ...(settings.turnstile && turnstileTestKeys(settings.turnstile).length > 0 ? ['', TEST_KEYS] : []),
    '',
  ];
  console.log(lines.join('\n'));
}

/** Where /admin is, and what to set where it can be reached on this machine alone. */
function adminLines(greeting: Greeting, base: string): string[] {
  const { settings, hosts, port } = greeting;
  const { adminHost } = settings;
  if (adminHost !== undefined) {
    const isLocal = /(?:^|\.)localhost$|^[\d.]+$/.test(adminHost);
    return [`  ${isLocal ? `http://${adminHost}:${port}` : `https://${adminHost}`}/admin`];
  }
  const lines = isReachedAtLocalhost(settings) ? [`  ${base}/admin`] : [];
  if (hosts[0] !== undefined) lines.push(`  https://${hosts[0]}/admin`);
  else if (!isLoopback(settings.host)) {
    lines.push(
      '  From other machines there is no /admin yet: set ADMIN_HOST to a host name of yours that is not for sale.',
    );
  }
  return lines;
}

function credentials({ administrator, settings }: Greeting): string[] {
  if (administrator === undefined) return [];
  const { email, change, generatedPassword, warning, administrators } = administrator;
  const notes = [
    ...(warning === undefined ? [] : [`  ${warning}`]),
    ...(email === DEFAULT_ADMIN_EMAIL && administrators.length === 1
      ? [
          '  To sign in with your own email: npm run admin -- add you@yours.example, and once you are in',
          `  npm run admin -- remove ${email}`,
        ]
      : []),
    ...(administrators.length > 1
      ? [`  Administrators: ${administrators.join(', ')}. Remove one with npm run admin -- remove EMAIL`]
      : []),
  ];
  if (generatedPassword !== undefined) {
    const remedy = 'To choose another, set ADMIN_PASSWORD and start again.';
    return [`  email:    ${email}`, ...showPassword(generatedPassword, settings.dataDir, remedy), ...notes];
  }
  const origin = {
    created: ' (password from ADMIN_PASSWORD)',
    password_changed: ' (new password from ADMIN_PASSWORD)',
    none: '',
  };
  return [`  email:    ${email}${origin[change]}`, ...notes];
}
