import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import type { FormMessages } from '../i18n/messages.ts';
import { $offer } from '../stores/offer.ts';

interface Props {
  messages: FormMessages;
  /** The name of the rejected field. */
  rejected: string | undefined;
}

/** A text that the visitor may add to the offer, where the catalogue has `offerMessage`. Empty again after a success. */
export function MessageField({ messages: { message }, rejected }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { status } = useStore($offer, { ssr: 'initial' });

  // Keeps what was typed before hydration, as use-typed.ts does for the other fields.
  const [[old, hadFocus]] = useState(oldField);
  useEffect(() => {
    if (!old || !field.current || field.current === old) return;
    field.current.value = old.value;
    if (hadFocus) field.current.focus({ preventScroll: true });
  }, [old, hadFocus]);

  useEffect(() => {
    if (status === 'submitted' && field.current) field.current.value = '';
  }, [status]);

  if (!message) return null;
  return (
    <div className="field message">
      <label htmlFor="message">
        {message.label} <span>{message.optional}</span>
      </label>
      <textarea
        ref={field}
        id="message"
        name="message"
        rows={3}
        aria-invalid={rejected === 'message' || undefined}
        aria-describedby={`${rejected === 'message' ? 'offer-failure ' : ''}message-hint`}
      />
      <small id="message-hint">{message.hint}</small>
    </div>
  );
}

/** The field as it was prerendered, and whether it has the focus. */
function oldField(): [field: HTMLTextAreaElement | null, hadFocus: boolean] {
  if (!globalThis.document) return [null, false];
  const field = document.querySelector<HTMLTextAreaElement>('#message');
  return [field, field !== null && field === document.activeElement];
}
