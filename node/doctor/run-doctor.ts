/** Runs every check, a few at a time, within a limit of time. */
import { networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import { EMBEDDED_PUBLISHABLE_KEY, localOrigin, type Settings } from '../config/settings.ts';
import { UserError } from '../config/user-error.ts';
import { checkBackend, checkProduct } from './check-backend.ts';
import { checkDisk, spacesOf } from './check-disk.ts';
import { checkDns } from './check-dns.ts';
import { checkHost, type HostResult } from './check-host.ts';
import { checkMail } from './check-mail.ts';
import { checkOffers } from './check-offers.ts';
import { checkProxies } from './check-proxies.ts';
import { checkSite } from './check-site.ts';
import { checkTurnstile } from './check-turnstile.ts';
import { createLookup } from './dns-lookup.ts';
import { type Finding, findingsOf } from './finding.ts';
import { type Report, reportOf } from './report.ts';
import { runLimited } from './run-limited.ts';
import { readServedPage } from './served-pages.ts';
import { type Target, targetsOf, targetsOfName } from './targets.ts';
import type { Network } from './visit-host.ts';

export interface DoctorOptions extends Omit<Network, 'lookup'> {
  /** Checks this name or host only, and nothing else. */
  readonly name: string | undefined;
  /** DNS server, an ip with or without port; undefined: the system's. */
  readonly resolver: string | undefined;
  readonly dkimSelector: string | undefined;
}

const NO_MAIL = findingsOf('spf').ok('No mail is configured, so no records of a sender were checked.');

const HOSTS_AT_A_TIME = 8;
/** Of the whole run: hosts that are left then are not checked. */
const RUN_TIMEOUT_MS = 30 * 60_000;

/** @throws UserError for a name or a DNS server that cannot be checked */
export async function runDoctor(settings: Settings, options: DoctorOptions): Promise<Report> {
  const startedAt = new Date();
  const deadline = performance.now() + RUN_TIMEOUT_MS;
  const network = { ...options, lookup: lookupOf(options) };
  const site = checkSite(settings);
  const all = targetsOf({ names: new Set(site.names), hosts: site.hosts, adminHost: settings.adminHost });
  const targets = options.name === undefined ? all : chosenTargets(all, options.name);

  const general = options.name === undefined ? await checkGeneral(settings, site.replyWithin, network) : [];
  const results = await runLimited(targets, HOSTS_AT_A_TIME, deadline, (target) =>
    checkHost(target, readServedPage, network),
  );
  const done = results.filter((result) => result !== undefined);
  const dns = checkDns(done, ownAddresses());
  const hosts = done.flatMap((result, index) => [...(dns[index] ? [dns[index]] : []), ...result.findings]);
  const over = new Set(done.flatMap((result) => [...result.over]));
  const proxies = checkProxies({ ...settings, ...options, over, isHere: settings.supabase === undefined });
  const findings = [
    ...(options.name === undefined ? [...site.findings, ...general, proxies] : []),
    ...hosts,
    ...unfinished(targets, results),
  ];
  const size = { names: new Set(targets.flatMap(({ name }) => name ?? [])).size, hosts: targets.length };
  return reportOf(findings, size, startedAt);
}

function lookupOf({ resolver, timeoutMs }: DoctorOptions): Network['lookup'] {
  try {
    return createLookup(resolver, timeoutMs);
  } catch {
    throw new UserError(
      '--resolver must be the IP address of a DNS server, such as 9.9.9.9 or 127.0.0.1:5353.',
    );
  }
}

function chosenTargets(all: readonly Target[], name: string): Target[] {
  const targets = targetsOfName(all, name);
  if (targets.length > 0) return targets;
  throw new UserError(`${name} is neither in the catalogue nor one of the site’s own hosts.`);
}

/** Everything that is not about a host, in the order of the report. */
async function checkGeneral(
  settings: Settings,
  replyWithin: string | undefined,
  { timeoutMs, dkimSelector, lookup }: DoctorOptions & Network,
): Promise<Finding[]> {
  const { supabase, dataDir } = settings;
  const from = settings.messages.mail?.from.address.split('@')[1];
  const groups = await Promise.all([
    checkRunning(settings, timeoutMs),
    checkOffers(settings, timeoutMs, replyWithin),
    checkTurnstile(settings, timeoutMs),
    from === undefined ? [NO_MAIL] : checkMail(from, dkimSelector, lookup),
  ]);
  return [...groups.flat(), ...spacesOf([...(supabase ? [] : [dataDir]), resolve('.')]).map(checkDisk)];
}

/** The product of this machine, and its backend or the hosted project. */
async function checkRunning(settings: Settings, timeoutMs: number): Promise<Finding[]> {
  const { supabase, port } = settings;
  const origin = localOrigin(settings, port);
  if (port === 0 && !supabase) {
    const message =
      'PORT is 0, so the port of the product is not known: set PORT to the one that it printed.';
    return [findingsOf('product').skip(message)];
  }
  const { finding, isRunning } = await checkProduct(origin, supabase !== undefined, timeoutMs);
  if (!supabase && !isRunning) {
    const message = 'Not checked, because the product does not run.';
    return [finding, findingsOf('order-submit').skip(message), findingsOf('data-api').skip(message)];
  }
  const { url, publishableKey } = supabase ?? { url: origin, publishableKey: EMBEDDED_PUBLISHABLE_KEY };
  return [finding, ...(await checkBackend(url, publishableKey, timeoutMs))];
}

/** Reports the hosts whose turn did not come. */
function unfinished(targets: readonly Target[], results: readonly (HostResult | undefined)[]): Finding[] {
  const left = targets.filter((_target, index) => results[index] === undefined);
  const [first] = left;
  if (!first) return [];
  const message =
    `${left.length.toLocaleString('en-US')} hosts were not checked within ${RUN_TIMEOUT_MS / 60_000} minutes, from ` +
    `${first.host} on: run this with a shorter --timeout, or with --name.`;
  return [findingsOf('names').fail(message)];
}

function ownAddresses(): Set<string> {
  return new Set(
    Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []),
  );
}
