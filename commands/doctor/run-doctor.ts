/** Runs every check, a few at a time, within a limit of time. */
import { networkInterfaces } from 'node:os';
import { withoutEnding } from '#contract/message-settings.ts';
import type { Settings } from '../../config/settings.ts';
import { didYouMean } from '../../process/did-you-mean.ts';
import { UserError } from '../../process/user-error.ts';
import type { Place } from '../../src/catalogue/catalogue-file.ts';
import { type Dns, openDns } from './dns.ts';
import { type Finding, findingsOf } from './finding.ts';
import { checkHost, checkProxies, type Target, targetsOf, targetsOfName } from './hosts.ts';
import { checkMail, checkMessages } from './mail.ts';
import { checkDisk, checkOffers, checkRunning, checkSite, checkTurnstile, type Site } from './product.ts';
import { type Report, reportOf } from './report.ts';
import { runLimited } from './run-limited.ts';
import { checkVersion } from './version.ts';
import type { Network } from './visit.ts';

export interface DoctorOptions extends Omit<Network, 'dns'> {
  /** Checks this name or host only, and nothing else. */
  readonly name: string | undefined;
  /** DNS server, an ip with or without port; undefined: the system's. */
  readonly resolver: string | undefined;
  readonly dkimSelector: string | undefined;
  /** Whether to list the versions of the repository. */
  readonly updates: boolean;
}

const NO_MAIL = findingsOf('spf').ok('No mail is configured, so no records of a sender were checked.');

const HOSTS_AT_A_TIME = 8;
/** Of the whole run: hosts that are left then are not checked. */
const RUN_TIMEOUT_MS = 30 * 60_000;

/** @throws UserError for a name or a DNS server that cannot be checked */
export async function runDoctor(settings: Settings, options: DoctorOptions, place: Place): Promise<Report> {
  const startedAt = new Date();
  const deadline = performance.now() + RUN_TIMEOUT_MS;
  const network = { ...options, dns: dnsOf(options) };
  const site = checkSite(settings, place);
  const all = targetsOf({ names: new Set(site.names), hosts: site.hosts, adminHost: settings.adminHost });
  const targets = options.name === undefined ? all : chosenTargets(all, options.name);

  const isAlone = options.name !== undefined;
  const general = isAlone ? [] : await checkGeneral(settings, site, network, place.cwd());
  if (!isAlone || options.updates)
    general.push(await checkVersion(options.updates, options.timeoutMs, place.cwd()));
  const own = ownAddresses();
  const results = await runLimited(targets, HOSTS_AT_A_TIME, deadline, (target) =>
    checkHost(target, network, own),
  );
  const done = results.filter((result) => result !== undefined);
  const over = done.flatMap((result) => result.over);
  const proxies = isAlone ? [] : [checkProxies(settings, options.httpPort, over)];
  const hosts = done.flatMap(({ findings }) => findings);
  const size = { names: new Set(targets.flatMap(({ name }) => name ?? [])).size, hosts: targets.length };
  return reportOf([...general, ...proxies, ...hosts, ...unfinished(targets, done.length)], size, startedAt);
}

function dnsOf({ resolver, timeoutMs }: DoctorOptions): Dns {
  try {
    return openDns(resolver, timeoutMs);
  } catch {
    throw new UserError(
      '--resolver must be the IP address of a DNS server, such as 9.9.9.9 or 127.0.0.1:5353.',
    );
  }
}

function chosenTargets(all: readonly Target[], name: string): Target[] {
  const targets = targetsOfName(all, name);
  if (targets.length > 0) return targets;
  throw new UserError(
    `${name} is neither in the catalogue nor one of the site’s own hosts.${didYouMean(
      name,
      all.map(({ host }) => host),
    )}`,
  );
}

/** Everything that is not about a host, in the order of the report. */
async function checkGeneral(
  settings: Settings,
  site: Site,
  { timeoutMs, dkimSelector, dns }: DoctorOptions & { readonly dns: Dns },
  cwd: string,
): Promise<Finding[]> {
  const { supabase, dataDir, messages } = settings;
  const from = messages.mail?.from.address.split('@')[1];
  const groups = await Promise.all([
    checkRunning(settings, timeoutMs),
    checkOffers(settings, timeoutMs, site.replyWithin),
    checkMessages(settings, timeoutMs),
    checkTurnstile(settings, timeoutMs),
    from === undefined ? [NO_MAIL] : checkMail(from, dkimSelector, dns),
  ]);
  const address = withoutEnding(messages);
  if (address !== undefined) groups.push([findingsOf('settings').warn(address)]);
  const folders = [...(supabase ? [] : [dataDir]), cwd];
  return [...site.findings, ...groups.flat(), ...folders.map(checkDisk)];
}

/** Reports the hosts whose turn did not come: tasks begin in the order of the targets. */
function unfinished(targets: readonly Target[], done: number): Finding[] {
  const first = targets[done];
  if (!first) return [];
  const message =
    `${(targets.length - done).toLocaleString('en-US')} hosts were not checked within ${RUN_TIMEOUT_MS / 60_000} minutes, from ` +
    `${first.host} on: run this with a shorter --timeout, or with --name.`;
  return [findingsOf('names').fail(message)];
}

function ownAddresses(): Set<string> {
  return new Set(
    Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []),
  );
}
