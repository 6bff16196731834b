import type { FormTexts } from '../i18n/messages.ts';
import type { BotCheck } from '../stores/bot-check.ts';
import { useOffline } from './use-offline.ts';

interface Props {
  check: Exclude<BotCheck, { status: 'waiting' }>;
  texts: FormTexts['botCheck'];
}

/** Says why the button waits. Only the failure is announced: the rest passes by itself. */
export function BotCheckStatus({ check, texts }: Props) {
  const failed = check.status === 'failed';
  if (useOffline() && failed) return null;
  return (
    <p className={failed ? 'error' : `check ${check.status}`} role={failed ? 'alert' : undefined}>
      {texts[check.status]}
    </p>
  );
}
