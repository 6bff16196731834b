import { VISITOR_FIELDS, type VisitorFieldName } from '#contract/offer-fields.ts';
import type { FormMessages } from '../i18n/messages.ts';

interface Props {
  messages: FormMessages;
  /** The name of the rejected field; `OfferFailure` shows the reason. */
  rejected: string | undefined;
}

type Name = keyof FormMessages['labels'];

/** A message has none of these. */
interface Attributes {
  autoComplete?: string;
  type?: string;
}

const NAMES = /* @__PURE__ */ Object.keys(VISITOR_FIELDS) as Name[];

/** The form's fields. Without `maxlength`: a truncated paste would go unnoticed, an error message does not. */
export function OfferFields({ messages, rejected }: Props) {
  const names = import.meta.env.OFFER_MESSAGE ? (Object.keys(messages.labels) as Name[]) : NAMES;
  return names.map((name) => {
    const isMessage = import.meta.env.OFFER_MESSAGE && name === 'message';
    const { autoComplete, type }: Attributes = isMessage ? {} : VISITOR_FIELDS[name as VisitorFieldName];
    const Field = isMessage ? 'textarea' : 'input';
    const id = name.replace('_', '-');
    const hint = messages.hints[name];
    return (
      <div key={name} className="field">
        <label htmlFor={id}>{messages.labels[name]}</label>
        <Field
          {...{ id, name, type, autoComplete }}
          required={!isMessage}
          aria-invalid={name === rejected || undefined}
          aria-describedby={
            (name === rejected ? 'offer-failure ' : '') + (hint ? `${id}-hint` : '') || undefined
          }
        />
        {hint && (
          <small
            id={`${id}-hint`}
            {...(import.meta.env.EMAIL_USE && type && { lang: messages.hintLanguage })}
          >
            {hint}
          </small>
        )}
      </div>
    );
  });
}
