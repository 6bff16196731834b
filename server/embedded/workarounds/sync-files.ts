/**
 * Writes commits to the disk before they are reported. PGlite 0.4.6 starts with `fsync=off`, its `fdatasync` does nothing,
 * and the file system of Emscripten for Node has no `fsync`: a machine that loses power would lose acknowledged offers.
 * Waits for https://github.com/electric-sql/pglite/issues/1107; dependency-faults.test.ts fails where it is not needed any more.
 */
import { closeSync, fdatasyncSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Extension, PGlite } from '@electric-sql/pglite';

/** PGlite's own parameters but `-F`, which turns fsync off. */
export const SYNCED_START_PARAMETERS: readonly string[] = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'],
];

/** Gives the file system its `fsync` before PostgreSQL starts, so that a recovery syncs what it writes, too. */
export const SYNC_FILES: Extension = {
  name: 'sync files',
  setup: async (_, options: { preRun?: ((module: EmscriptenModule) => void)[] }) => ({
    emscriptenOpts: { ...options, preRun: [...(options.preRun ?? []), addFsync] },
  }),
};

/** An open file of the database, or a directory, which has no descriptor. */
interface Stream {
  readonly nfd?: number;
  readonly node: object;
}

interface EmscriptenModule {
  readonly FS: {
    readonly filesystems: { readonly NODEFS: NodeFileSystem };
    readonly ErrnoError: new (errno: number) => Error;
  };
}

interface NodeFileSystem {
  readonly stream_ops: { fsync?: (stream: Stream) => void };
  realPath(node: object): string;
  convertNodeCode(error: unknown): number;
}

function addFsync({ FS }: EmscriptenModule): void {
  const { NODEFS } = FS.filesystems;
  NODEFS.stream_ops.fsync = ({ nfd, node }) => {
    try {
      if (nfd === undefined) syncPath(NODEFS.realPath(node));
      else fdatasyncSync(nfd);
    } catch (error) {
      // PostgreSQL reads the number of the error; any other error would leave its server in the middle of a call.
      throw new FS.ErrnoError(NODEFS.convertNodeCode(error));
    }
  };
}

/** Syncs every file and directory: PGlite unpacks the files of a new database, or of an archive, without a sync. */
export function syncAll(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() || entry.isDirectory()) syncPath(join(entry.parentPath, entry.name));
  }
  syncPath(folder);
}

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
