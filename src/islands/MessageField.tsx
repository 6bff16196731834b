import type { FormMessages } from '../i18n/messages.ts';

interface Props {
  messages: FormMessages;
  /** The name of the rejected field. */
  rejected: string | undefined;
}

/** A text that the visitor may add to the offer, where the catalogue has `offerMessage`. */
export function MessageField({ messages: { message }, rejected }: Props) {
  if (!message) return null;
  const invalid = rejected === 'message';
  return (
    <div className="field message">
      <label htmlFor="message">{message.label}</label>
      <textarea
        id="message"
        name="message"
        rows={1}
        aria-invalid={invalid || undefined}
        aria-describedby={`${invalid ? 'offer-failure ' : ''}message-hint`}
      />
      <small id="message-hint">{message.hint}</small>
    </div>
  );
}
