/**
 * Makes the configurations for a web server that reads the files of the build that is served, and reloads the server:
 * docs/deploy/reload-web-server.sh. Run as root, in the project's folder, in which only root may write but for `.builds`
 * and its like.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { UserError } from '../config/user-error.ts';
import { readUnlinked, reloadWebServer } from '../site-builder/live-build.ts';
import { parseServedBuild } from '../site-builder/web-servers/served-build.ts';
import { DESCRIPTION_FILE, writeConfigurations } from '../site-builder/web-servers/write-configurations.ts';
import './report-errors.ts';

const [folder, command, ...args] = process.argv.slice(2);
if (folder === undefined || command === undefined) {
  throw new UserError('Name the command that reloads the web server, such as systemctl reload nginx.');
}
const isReloaded = reloadWebServer((build) => {
  const description = readUnlinked(join(build, DESCRIPTION_FILE)) ?? '';
  writeConfigurations(parseServedBuild(description, build), folder);
  return spawnSync(command, args, { stdio: 'inherit' }).status === 0;
});
if (!isReloaded) throw new UserError(`${[command, ...args].join(' ')} failed.`);
