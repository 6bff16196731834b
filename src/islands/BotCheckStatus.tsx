import type { FormMessages } from '../i18n/messages.ts';
import type { BotCheck } from '../stores/bot-check.ts';
import { useOffline } from './use-offline.ts';

interface Props {
  check: Exclude<BotCheck, { status: 'waiting' }>;
  messages: FormMessages['botCheck'];
}

/** State of the bot check. Only a failure is announced to screen readers: the other states pass by themselves. */
export function BotCheckStatus({ check, messages }: Props) {
  const failed = check.status === 'failed';
  if (useOffline() && failed) return null;
  return (
    <p className={failed ? 'check error' : `check ${check.status}`} role={failed ? 'alert' : undefined}>
      {messages[check.status]}
    </p>
  );
}
