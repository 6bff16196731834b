import type { KnipConfig } from 'knip';
import { COMMANDS, stepsOf } from './commands/command-table.mjs';

const commandFiles = COMMANDS.flatMap((group) => group.commands)
  .flatMap(stepsOf)
  .flatMap((step) => step.filter((argument) => argument.endsWith('.ts')));

export default {
  entry: [
    ...commandFiles,
    '**/*.test.ts',
    'commands/build-if-needed.ts',
    // Started as processes of their own.
    'server/embedded/project-thread.ts',
    'site-builder/{render-pages,build-process}.ts',
    'server/{embedded,names}/*.fixture.ts',
    'supabase/functions/deno.fixture.ts',
    'tests/support/{boot-data-folder,kill-at-rename,prepare}.ts',
    'tests/runner/{compile,together}.ts',
    // Named as strings in src/site-data/island-scripts.ts.
    'src/islands/hydrate-*.ts',
    'src/stores/provide-calls.ts',
    // In place of two packages, by astro.config.mjs.
    'admin-app/api/unused-clients.ts',
    // Imported by the entry that npm run deploy:worker writes.
    'worker/worker.ts',
    // Started by Deno and by Supabase.
    'supabase/functions/*/index.ts',
  ],
  ignore: [
    // A project of its own.
    'bench/peers/bare-astro/**',
  ],
  ignoreDependencies: [
    // Only its font files are used, by path.
    '@expo-google-fonts/inter',
    // Only their programs are used, by path.
    'deno',
    '@biomejs/biome',
    '@astrojs/check',
  ],
  // Parts of util-linux, systemd, coreutils and bind9-utils, and strace; what uses them reports when they are missing.
  ignoreBinaries: [
    'script',
    'taskset',
    'mount',
    'umount',
    'unshare',
    'strace',
    'systemd-analyze',
    'systemd-socket-activate',
    'named-checkzone',
    'mkfifo',
  ],
} satisfies KnipConfig;
