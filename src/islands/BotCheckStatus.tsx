import type { FormMessages } from '../i18n/messages.ts';
import type { BotCheck } from '../stores/bot-check.ts';
import { UnsupportedBrowser } from './UnsupportedBrowser.tsx';
import { useOffline } from './use-offline.ts';

interface Props {
  check: Exclude<BotCheck, { status: 'waiting' }>;
  messages: FormMessages;
}

/** State of the bot check. Only a failure is announced to screen readers: the other states pass by themselves. */
export function BotCheckStatus({ check, messages }: Props) {
  const { status } = check;
  const failed = status === 'failed';
  if (useOffline() && failed) return null;
  if (status === 'unsupported')
    return (
      <p className="error" role="alert">
        <UnsupportedBrowser {...messages} />
      </p>
    );
  return (
    <p className={failed ? 'check error' : `check ${status}`} role={failed ? 'alert' : undefined}>
      {messages.botCheck[status]}
    </p>
  );
}
