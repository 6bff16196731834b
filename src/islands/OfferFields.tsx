import { VISITOR_FIELDS, type VisitorFieldName } from '#contract/offer-fields.ts';
import type { FormMessages } from '../i18n/messages.ts';
import { MessageField } from './MessageField.tsx';

interface Props {
  messages: FormMessages;
  /** The name of the rejected field; `OfferFailure` shows the reason. */
  rejected: string | undefined;
}

const NAMES = Object.keys(VISITOR_FIELDS) as VisitorFieldName[];

/** The form's fields. Without `maxlength`: a truncated paste would go unnoticed, an error message does not. */
export function OfferFields({ messages, rejected }: Props) {
  const fields = NAMES.map((name) => {
    const { autoComplete, type }: { autoComplete: string; type?: string } = VISITOR_FIELDS[name];
    const id = name.replace('_', '-');
    const hint = messages.hints[name];
    return (
      <div key={name} className="field">
        <label htmlFor={id}>{messages.labels[name]}</label>
        <input
          {...{ id, name, type, autoComplete }}
          required
          aria-invalid={name === rejected || undefined}
          aria-describedby={
            (name === rejected ? 'offer-failure ' : '') + (hint ? `${id}-hint` : '') || undefined
          }
        />
        {import.meta.env.EMAIL_USE && hint && type ? (
          <small id={`${id}-hint`} lang={messages.hintLanguage}>
            {hint}
          </small>
        ) : (
          hint && <small id={`${id}-hint`}>{hint}</small>
        )}
      </div>
    );
  });
  if (!import.meta.env.OFFER_MESSAGE) return fields;
  return [...fields, <MessageField key="message" messages={messages} rejected={rejected} />];
}
