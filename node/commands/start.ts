/** For systemd units of version 0.2, until 0.4. */
import '../../commands/start.ts';
