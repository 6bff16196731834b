/** `npm run doctor`: checks the site from outside and from inside, with remedies. Exit codes for cron: 0, 1 or 2 (wrong use). */

import { type Settings, settingsOf } from '../config/settings.ts';
import { commandOf, consoleOf, type Io, runAsProcess } from '../process/command.ts';
import { readOptions, wrongValue } from '../process/read-options.ts';
import { messageFor, reportError } from '../process/report-and-exit.ts';
import { UserError } from '../process/user-error.ts';
import { findingsOf } from './doctor/finding.ts';
import { type Report, renderTable, reportOf } from './doctor/report.ts';
import { type DoctorOptions, runDoctor } from './doctor/run-doctor.ts';

const USAGE = `npm run doctor takes these options, all of them optional:

  --name NAME              checks one name or host only
  --updates                lists the versions of the repository, by git ls-remote
  --json                   prints JSON (npm run --silent doctor -- --json)
  --dkim-selector NAME     the selector of the mail's DKIM key
  --timeout SECONDS        of each request, 1 to 60 (10)
  --resolver ADDRESS:PORT  another DNS server than the system's
  --https-port PORT        another port than 443
  --http-port PORT         another port than 80`;

const OPTIONS = {
  name: { type: 'string' },
  json: { type: 'boolean', default: false },
  updates: { type: 'boolean', default: false },
  'dkim-selector': { type: 'string' },
  timeout: { type: 'string', default: '10' },
  resolver: { type: 'string' },
  'https-port': { type: 'string', default: '443' },
  'http-port': { type: 'string', default: '80' },
} as const;

const SELECTOR = /^[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?$/i;
const WRONG_USE = 2;

export const run = commandOf(async (argv, io) => {
  try {
    const { json, options } = readArguments(argv);
    const settings = readSettingsOr(io);
    const report = 'status' in settings ? settings : await runDoctor(settings, options, io);
    io.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : renderTable(report));
    return report.status === 'fail' ? 1 : 0;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    reportError(error, consoleOf(io));
    return WRONG_USE;
  }
});

function readArguments(args: string[]): { json: boolean; options: DoctorOptions } {
  const { values } = readOptions({ args, options: OPTIONS }, USAGE);
  const dkimSelector = values['dkim-selector'];
  if (dkimSelector !== undefined && !SELECTOR.test(dkimSelector))
    throw wrongValue('--dkim-selector', dkimSelector, USAGE);
  return {
    json: values.json,
    options: {
      name: values.name,
      updates: values.updates,
      resolver: values.resolver,
      httpsPort: wholeNumber('https-port', values, 65_535),
      httpPort: wholeNumber('http-port', values, 65_535),
      timeoutMs: wholeNumber('timeout', values, 60) * 1000,
      dkimSelector,
    },
  };
}

function wholeNumber<Name extends string>(
  option: Name,
  values: Readonly<Record<Name, string>>,
  max: number,
): number {
  const text = values[option];
  if (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= max) return Number(text);
  throw wrongValue(`--${option}`, text, `It must be a whole number from 1 to ${max}. ${USAGE}`);
}

/** Returns a report where the settings are wrong: then nothing else can be checked. */
function readSettingsOr(io: Io): Settings | Report {
  try {
    return settingsOf(io);
  } catch (error) {
    const message = messageFor(error);
    if (message === undefined) throw error;
    const finding = findingsOf('settings').fail(`${message} Nothing else was checked.`);
    return reportOf([finding], { names: 0, hosts: 0 }, new Date());
  }
}

if (import.meta.main) await runAsProcess(run);
