/**
 * The requests to which a web server in front responds with a file itself: those written plainly. The Node server gets
 * all others, so that its rules exist once. The expressions are Caddy's (RE2); nginx normalizes hosts and paths itself,
 * and needs only to compare.
 */
import {
  ADMIN_PATH,
  BACKEND_PATHS,
  HEALTH_PATH,
  ON_DEMAND_PATHS,
} from '../../../src/serving/server-paths.ts';

/** A Host header in lower case, with a port or none: no IPv6, no trailing dot. */
export const PLAIN_HOST = '[a-z0-9_-]+(?:\\.[a-z0-9_-]+)*(?::[0-9]{1,5})?';

/** Hosts that are names with `.localhost` behind them: for trying on one's own machine. */
export const LOCAL_HOST = '\\.localhost(?::[0-9]*)?';

/** Path and query as sent: no percent sign or fragment in the path, no empty segment, none that begins with a dot. */
export const PLAIN_TARGET = '(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/?(?:\\?[^#]*)?';

/** The end of a path that names a file of the build whose path on the site is another: nothing is there. */
export const HIDDEN_FILE = '(?:/index\\.html|\\.br|\\.gz)';

/** Paths of the Node server, with everything below them. */
export const NODE_FOLDERS: readonly string[] = [...BACKEND_PATHS, ADMIN_PATH];

/** Paths of the Node server, literally. */
export const NODE_PATHS: readonly string[] = [HEALTH_PATH, ...ON_DEMAND_PATHS];
