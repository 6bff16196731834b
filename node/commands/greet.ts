import { join } from 'node:path';
import { isLoopback, type Settings } from '../config/settings.ts';
import { writeDurably } from '../config/write-file-atomic.ts';
import type { AdministratorChange } from '../embedded-backend/administrator.ts';

/** How many domains are listed; a long catalogue would push the rest off the screen. */
const LISTED = 12;
/** File of the data folder for a generated password that no terminal shows. */
const PASSWORD_FILE = 'admin-password.txt';

export interface Greeting {
  readonly settings: Settings;
  /** The port that is open. */
  readonly port: number;
  /** The domains for sale. */
  readonly domains: readonly string[];
  /** The catalogue's `hosts`. */
  readonly hosts: readonly string[];
  /** Undefined with a hosted project. */
  readonly administrator: AdministratorChange | undefined;
}

/** Prints what is running, where, and how to sign in. */
export function greet(greeting: Greeting): void {
  const { domains, settings } = greeting;
  const base = baseOf(greeting);
  const pageOf = (name: string) =>
    listensOnLocalhost(settings) ? `http://${name}.localhost:${greeting.port}` : `${base}/sites/${name}/`;
  const lines = [
    '',
    `Ready: ${base}`,
    '',
    'Your domains, as visitors will see them:',
    ...domains.slice(0, LISTED).map((name) => `  ${pageOf(name)}`),
    ...(domains.length > LISTED ? [`  … and ${(domains.length - LISTED).toLocaleString('en-US')} more`] : []),
    '',
    'Administrator:',
    ...adminLines(greeting, base),
    ...credentials(greeting),
    '',
  ];
  console.log(lines.join('\n'));
}

/** Browsers look for `localhost`, and all names below it, at these. */
function listensOnLocalhost({ host }: Settings): boolean {
  return isLoopback(host) || host === '0.0.0.0' || host === '::';
}

function baseOf({ settings, port }: Greeting): string {
  const host = listensOnLocalhost(settings) ? 'localhost' : settings.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Where /admin is, and what to set where it can be reached on this machine alone. */
function adminLines(greeting: Greeting, base: string): string[] {
  const { settings, hosts, port } = greeting;
  const { adminHost } = settings;
  if (adminHost !== undefined) {
    const isLocal = /(?:^|\.)localhost$|^[\d.]+$/.test(adminHost);
    return [`  ${isLocal ? `http://${adminHost}:${port}` : `https://${adminHost}`}/admin`];
  }
  const lines = listensOnLocalhost(settings) ? [`  ${base}/admin`] : [];
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
  const { email, change, generatedPassword, warning, former } = administrator;
  const notes = [
    ...(warning === undefined ? [] : [`  ${warning}`]),
    ...former.map(
      (address) => `  ${address} is no administrator any more and signed out: ADMIN_EMAIL names another.`,
    ),
  ];
  if (generatedPassword !== undefined) {
    return [`  email:    ${email}`, ...passwordLines(generatedPassword, settings.dataDir), ...notes];
  }
  const origin = {
    created: ' (password from ADMIN_PASSWORD)',
    password_changed: ' (new password from ADMIN_PASSWORD)',
    none: '',
  };
  return [`  email:    ${email}${origin[change]}`, ...notes];
}

/** On a terminal alone: what a service prints is kept in the system's log. */
function passwordLines(password: string, dataDir: string): string[] {
  if (process.stdout.isTTY) {
    return [
      `  password: ${password}`,
      '  This password is shown once and stored nowhere. To choose another, set ADMIN_PASSWORD and start again.',
    ];
  }
  const file = join(dataDir, PASSWORD_FILE);
  writeDurably(file, `${password}\n`, 0o600);
  return [
    `  password: in ${file}. Remove the file once you know it.`,
    '  To choose another, set ADMIN_PASSWORD and start again.',
  ];
}
