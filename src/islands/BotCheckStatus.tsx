import type { BotCheck } from '../stores/bot-check.ts';
import { texts } from '../texts.ts';

/** Says why the button waits. Only the failure is announced: the rest passes by itself. */
export function BotCheckStatus({ check }: { check: BotCheck }) {
  const failed = check.status === 'failed';
  return (
    <p className={failed ? 'error' : `check ${check.status}`} role={failed ? 'alert' : undefined}>
      {texts.botCheck[check.status]}
    </p>
  );
}
