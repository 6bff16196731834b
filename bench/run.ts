/**
 * `npm run bench`: measures the product and its peers in one run, prints a table and writes bench/result.json.
 * `npm run bench -- page serve` measures some parts; `--domains 2000` and `--offers 200` make it smaller.
 * `scale` needs an installed PostgreSQL.
 * Goals are ratios or counts rather than absolute times where possible. Exits with 1 if a goal is not met.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform } from 'node:os';
import { readOptions } from '../process/read-options.ts';
import { reportAndExit } from '../process/report-and-exit.ts';
import { UserError } from '../process/user-error.ts';
import { measureBuild } from './build.ts';
import { measureDashboard } from './dashboard.ts';
import { measureFirstPress } from './first-press.ts';
import { removeLargeProject } from './large-project.ts';
import { measureLighthouse } from './lighthouse.ts';
import { measureOffers } from './offers.ts';
import { measurePage } from './page.ts';
import { removeBuiltPeers } from './peers.ts';
import { isMet, type Row } from './rows.ts';
import { measureScale } from './scale.ts';
import { measureSearch } from './search.ts';
import { measureServe } from './serve.ts';
import { tableOf } from './table.ts';
import { measureVisitors } from './visitors.ts';

const INSTALLED = 'bench/node_modules/.package-lock.json';

const MEASUREMENTS: Record<string, (size: Size) => Promise<Row[]>> = {
  page: measurePage,
  'first-press': measureFirstPress,
  lighthouse: measureLighthouse,
  build: ({ domains }) => measureBuild(domains),
  search: ({ domains }) => measureSearch(domains),
  serve: ({ domains }) => measureServe(domains),
  visitors: measureVisitors,
  offers: ({ offers }) => measureOffers(offers),
  dashboard: ({ dashboardOffers }) => measureDashboard(dashboardOffers),
  scale: ({ domains, dashboardOffers }) => measureScale(domains, dashboardOffers),
};

interface Size {
  /** Entries of the large catalogue. */
  readonly domains: number;
  /** Offers that are submitted. */
  readonly offers: number;
  /** Offers on the large dashboard, and in the tables of `scale`. */
  readonly dashboardOffers: number;
}

const { chosen, size } = readCommand();
if (chosen.includes('lighthouse')) installLighthouse();
const rows: Row[] = [];
const failures: string[] = [];
for (const name of chosen) {
  console.log(`\nMeasuring: ${name} …`);
  try {
    rows.push(...((await MEASUREMENTS[name]?.(size)) ?? []));
  } catch (error) {
    console.error(error);
    failures.push(`${name} could not be measured: ${error instanceof Error ? error.message : error}`);
  }
}
await removeLargeProject();
removeBuiltPeers();

const [cpu] = cpus();
const machine = `${platform()} ${arch()}, ${cpus().length} × ${cpu?.model ?? 'unknown'}, Node ${process.version}`;
writeFileSync(
  'bench/result.json',
  `${JSON.stringify({ at: new Date().toISOString(), machine, size, rows: rows.map((row) => ({ ...row, met: isMet(row) })), failures }, null, 2)}\n`,
);
console.log(`\n${tableOf(rows)}\n`);
for (const failure of failures) console.log(failure);
console.log(`${machine}. Also in bench/result.json.`);
process.exit(failures.length > 0 || rows.some((row) => isMet(row) === false) ? 1 : 0);

function readCommand(): { chosen: string[]; size: Size } {
  const possible = `Please choose from: ${Object.keys(MEASUREMENTS).join(', ')}; --domains, --offers and --dashboard-offers are whole numbers, like this: npm run bench -- build --domains 2000`;
  try {
    const { values, positionals } = readOptions(
      {
        allowPositionals: true,
        options: {
          domains: { type: 'string', default: '10000' },
          offers: { type: 'string', default: '600' },
          'dashboard-offers': { type: 'string', default: '100000' },
        },
      },
      possible,
    );
    const size = {
      domains: Number(values.domains),
      offers: Number(values.offers),
      dashboardOffers: Number(values['dashboard-offers']),
    };
    const isRight =
      positionals.every((name) => Object.hasOwn(MEASUREMENTS, name)) &&
      Object.values(size).every((count) => Number.isInteger(count) && count >= 1);
    if (!isRight) throw new UserError(possible);
    return { chosen: positionals.length > 0 ? positionals : Object.keys(MEASUREMENTS), size };
  } catch (error) {
    reportAndExit(error);
  }
}

/** Installs it on the first run and after an update. The product does not need it. */
function installLighthouse(): void {
  if (existsSync(INSTALLED) && changedAt(INSTALLED) >= changedAt('bench/package-lock.json')) return;
  console.log('Installing Lighthouse …');
  // Not `npm ci`, which fails when the lock file lacks a package for another platform.
  const options = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', options, { cwd: 'bench', stdio: 'inherit' });
  if (status !== 0) {
    console.error('\nLighthouse could not be installed (see npm’s error above).\n');
    process.exit(1);
  }
}

function changedAt(file: string): number {
  return statSync(file).mtimeMs;
}
