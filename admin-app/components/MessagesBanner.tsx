import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { dismissMessage, retryMessages } from '../stores/admin.ts';
import { type FailedDelivery, type Messages, messagesOf } from '../stores/messages.ts';
import { DismissButton } from './DismissButton.tsx';
import { DomainName } from './DomainName.tsx';
import { formatDate } from './format-date.ts';
import { useShownName } from './shown-names.ts';
import { useMessages } from './use-messages.ts';
import './messages-banner.css';

/** How the messages about new offers stand. Nothing where all are sent. */
export function MessagesBanner() {
  const status = useMessages();
  return status ? <Banner messages={messagesOf(status)} /> : null;
}

function Banner({ messages }: { messages: Messages }) {
  const { status } = messages;
  /** Since Retry, until the next try has failed or sent them. */
  const [isRetried, setRetried] = useState(false);
  const [isDismissed, setDismissed] = useState(wasDismissed);
  const [before, setBefore] = useState(status);
  const box = useRef<HTMLElement>(null);
  if (before !== status) {
    setBefore(status);
    if (before === 'sending') setRetried(false);
  }
  if (status === 'sent' || (status === 'off' && isDismissed)) return null;

  const dismiss = () => {
    try {
      localStorage.setItem(DISMISSED, String(Date.now()));
    } catch {
      // Until the page is left, then.
    }
    setDismissed(true);
    document.getElementById('offers-title')?.focus({ preventScroll: true });
  };
  return (
    <section ref={box} className="messages" aria-label="Messages" data-status={status} tabIndex={-1}>
      <div aria-live="polite">
        {status !== 'off' ? (
          textOf(messages, isRetried, () => box.current?.focus())
        ) : import.meta.env.DEMO ? (
          <p className="line">
            <strong>Demo: no messages are sent</strong>
          </p>
        ) : (
          <NotConfigured onDismiss={dismiss} />
        )}
      </div>
      {status === 'failing' && <RetryButton box={box} onRetried={() => setRetried(true)} />}
    </section>
  );
}

/** @param keepFocus is called before a button that has the focus disappears */
function textOf(
  messages: Exclude<Messages, { status: 'sent' | 'off' }>,
  isRetried: boolean,
  keepFocus: () => void,
): ReactNode {
  switch (messages.status) {
    case 'sending':
      return (
        <p key="sending">
          <strong>{`${countOf(messages.queued)} on the way.`}</strong>
          {isRetried && <span> Next try: within a minute.</span>}
        </p>
      );
    case 'paused':
      return (
        <p key={messages.paused}>
          <strong>
            {countOf(messages.paused)} from before the restore {messages.paused === 1 ? 'is' : 'are'} not
            sent.
          </strong>{' '}
          To send {messages.paused === 1 ? 'it' : 'them'}, run <code>npm run messages -- resume</code>.
        </p>
      );
    case 'failing':
      return <Failing {...messages} keepFocus={keepFocus} />;
  }
}

/** One line, since an owner may know it and do without: how to change it on demand, and nothing for a week. */
function NotConfigured({ onDismiss }: { onDismiss: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <p className="line">
        <strong>
          No message is sent <span>when an offer arrives.</span>
        </strong>
        <button
          type="button"
          className="word"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          How
        </button>
        <button type="button" className="word" aria-label="Dismiss for a week" onClick={onDismiss}>
          Dismiss <span>for a week</span>
        </button>
      </p>
      <div id={id} hidden={!isOpen}>
        <p>
          Add your mail server to <code>.env</code>, or a webhook, and restart:
        </p>
        <Lines />
      </div>
    </>
  );
}

/** When the banner that no messages are configured was dismissed, in this browser. */
const DISMISSED = 'messages-dismissed';
const WEEK_MS = 7 * 24 * 3_600_000;

function wasDismissed(): boolean {
  try {
    const at = Number(localStorage.getItem(DISMISSED));
    return at > 0 && Math.abs(Date.now() - at) < WEEK_MS;
  } catch {
    // The browser blocks storage.
    return false;
  }
}

/** The lines to add to `.env`. */
function Lines() {
  return (
    <pre>
      <code>
        {
          'SMTP_URL=smtps://user:password@mail.example.com:465\nMAIL_FROM=you@example.com\nMAIL_TO=you@example.com'
        }
      </code>
      <code>{'NOTIFY_URL=https://hooks.example.com/…'}</code>
    </pre>
  );
}

function Failing({
  unsent,
  problems,
  reason,
  targetKind,
  retryAt,
  failures,
  keepFocus,
}: Extract<Messages, { status: 'failing' }> & { keepFocus: () => void }) {
  return (
    <>
      <p id={REASON_ID}>
        {/* Without a problem of a server there is a message that is not sent. */}
        <strong>
          {problems.length > 0 ? problems.join(' ') : `${countOf(Math.max(1, unsent))} not sent.`}
        </strong>
        {reason !== undefined && (
          <span key={targetKind}>
            {' '}
            Last response of the {SERVERS[targetKind]}: <bdi>{reason}</bdi>
          </span>
        )}
      </p>
      {(reason !== undefined || failures.length === 0) && (
        <p className="next">
          {retryAt === undefined ? 'Not tried again automatically.' : `Next try: ${formatDate(retryAt)}.`}
        </p>
      )}
      {failures.length > 0 && (
        <>
          <p className="next">Not tried again automatically:</p>
          <ul className="failures">
            {failures.map((failure) => (
              <FailedItem key={failure.id} failure={failure} keepFocus={keepFocus} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** A message that failed, with its own reason. */
function FailedItem({ failure, keepFocus }: { failure: FailedDelivery; keepFocus: () => void }) {
  const { id, kind, domain, offers, reason, target_kind } = failure;
  const name = KINDS.get(kind) ?? 'Message';
  const { mutate: dismiss } = useMutation(dismissMessage);
  const shown = useShownName(domain);
  const many = `${offers} offers`;
  return (
    <li>
      <span>
        {name} for {offers === 1 ? <DomainName name={domain} /> : many}. Response of the{' '}
        {SERVERS[target_kind]}: <bdi>{reason}</bdi>
      </span>
      <DismissButton
        what={`${name} for ${offers === 1 ? shown : many}`}
        onClick={() => {
          keepFocus();
          dismiss(id);
        }}
      />
    </li>
  );
}

const SERVERS = { mail: 'mail server', webhook: 'webhook' };
const KINDS = new Map([
  ['offer', 'New offer'],
  ['overdue', 'Reminder'],
  ['confirmation', 'Confirmation'],
  ['reply', 'Answer to the buyer'],
  ['move', 'Move of the buyer'],
  ['expired', 'Passed end date'],
  ['silent', 'Reminder'],
  ['unpaid', 'Overdue payment'],
  ['pay_link', 'Changed link to pay'],
  ['reminder', 'Reminder to the buyer'],
]);

/** One banner is on the page. */
const REASON_ID = 'messages-reason';

interface RetryProps {
  box: React.RefObject<HTMLElement | null>;
  onRetried: () => void;
}

function RetryButton({ box, onRetried }: RetryProps) {
  const { mutate: retry, isPending, isError } = useMutation(retryMessages);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();

  // Where the banner has no such button any more, the focus would be lost.
  useLayoutEffect(() => {
    const own = button.current;
    return () => {
      if (own === null || document.activeElement !== own) return;
      (box.current ?? document.getElementById('offers-title'))?.focus({ preventScroll: true });
    };
  }, [box]);

  return (
    <span className="retry">
      {/* Enabled while it is in flight: a disabled button would lose the focus. */}
      <button
        ref={button}
        type="button"
        className="button quiet"
        aria-describedby={`${REASON_ID} ${id}`}
        aria-busy={isPending}
        onClick={() => isPending || retry(undefined, { onSuccess: onRetried })}
      >
        Retry
      </button>
      <span id={id} aria-live="polite">
        {isPending ? 'Retrying...' : isError ? 'Retry failed.' : ''}
      </span>
    </span>
  );
}

function countOf(messages: number): string {
  return messages === 1 ? '1 message' : `${messages} messages`;
}
