import type { AdministratorNews } from '../supabase/local/administrator.ts';
import type { Settings } from './settings.ts';

/** How many domains are listed; a long catalogue would push the rest off the screen. */
const LISTED = 12;

/** Tells the owner what is running, where, and how to sign in. */
export function greet(
  settings: Settings,
  domains: string[],
  administrator: AdministratorNews | undefined,
): void {
  const at = (host: string) => `http://${host}:${settings.port}`;
  const { host } = settings;
  // Browsers look for `localhost`, and all names below it, at these.
  const isLocalhost = ['localhost', '127.0.0.1', '0.0.0.0', '::1', '::'].includes(host);
  const base = at(isLocalhost ? 'localhost' : bracketed(host));
  const pageOf = (name: string) => (isLocalhost ? at(`${name}.localhost`) : `${base}/sites/${name}/`);
  const lines = [
    '',
    `Ready: ${base}`,
    '',
    'Your domains, as visitors will see them:',
    ...domains.slice(0, LISTED).map((name) => `  ${pageOf(name)}`),
    ...(domains.length > LISTED ? [`  … and ${(domains.length - LISTED).toLocaleString('en-US')} more`] : []),
    '',
    'Administrator:',
    `  ${settings.adminHost ? `${at(settings.adminHost)}/admin` : `${base}/admin`}`,
    ...credentials(administrator),
    ...(administrator?.former ?? []).map(
      (email) => `  ${email} is no administrator any more and signed out: ADMIN_EMAIL names another.`,
    ),
    '',
  ];
  console.log(lines.join('\n'));
}

function credentials(administrator: AdministratorNews | undefined): string[] {
  if (administrator === undefined) return [];
  const { email, change, generatedPassword } = administrator;
  if (generatedPassword) {
    return [
      `  email:    ${email}`,
      `  password: ${generatedPassword}`,
      '  This password is shown once and stored nowhere. To choose another, set ADMIN_PASSWORD and start again.',
    ];
  }
  const note = {
    created: ' (password from ADMIN_PASSWORD)',
    password_changed: ' (new password from ADMIN_PASSWORD)',
  };
  return [`  email:    ${email}${change === 'none' ? '' : note[change]}`];
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
