/** For systemd units of version 0.2, until 0.4. */
import { run } from '../../commands/backup.ts';
import { runAsProcess } from '../../config/command.ts';

await runAsProcess(run);
