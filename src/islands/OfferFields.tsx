import { type SyntheticEvent, useEffect, useState } from 'react';
import { interpolate } from '#contract/interpolate.ts';
import { VISITOR_COLUMNS, VISITOR_FIELDS, type VisitorFieldName } from '#contract/offer-fields.ts';
import type { FormMessages } from '../i18n/messages.ts';
import { suggestDomain } from './suggest-domain.ts';

/** By a field's name, what the browser finds wrong in it, or that an offer has no number; a field without one is right. */
export type Problems = Readonly<Record<string, 'missing' | 'format' | 'amount' | undefined>>;

interface Props {
  messages: FormMessages;
  /** The name of the rejected field; `OfferFailure` shows the reason. */
  rejected: string | undefined;
  problems: Problems;
}

type Name = keyof FormMessages['labels'];

/** A message has none of these. */
interface Attributes {
  autoComplete?: string;
  type?: string;
}

const NAMES: readonly Name[] = VISITOR_COLUMNS;

const SUGGESTION_DELAY_MS = 100;

/** The form's fields. Without `maxlength`: a truncated paste would go unnoticed, an error message does not. */
export function OfferFields({ messages, rejected, problems }: Props) {
  const names = import.meta.env.OFFER_MESSAGE ? (Object.keys(messages.labels) as Name[]) : NAMES;
  return names.map((name) => {
    const isMessage = import.meta.env.OFFER_MESSAGE && name === 'message';
    const { autoComplete, type }: Attributes = isMessage ? {} : VISITOR_FIELDS[name as VisitorFieldName];
    // On phones the message is folded.
    const Cell = isMessage ? 'details' : 'div';
    const Field = isMessage ? 'textarea' : 'input';
    const id = name.replace('_', '-');
    const problem = problems[name];
    const hint =
      problem === 'format'
        ? messages.problems.format
        : import.meta.env.LOW_OFFERS && problem === 'amount'
          ? interpolate(messages.noAmount ?? '', { submit: messages.submit })
          : problem
            ? messages.problems[name as VisitorFieldName]
            : messages.hints[name];
    return (
      <Cell key={name} className="field" onToggle={isMessage ? focusField : undefined}>
        {isMessage && <summary>{messages.addMessage}</summary>}
        <label htmlFor={id}>{messages.labels[name]}</label>
        <Field
          {...{ id, name, type, autoComplete }}
          required={!isMessage}
          // The style sheet's sign of an empty message.
          placeholder={isMessage ? ' ' : undefined}
          aria-invalid={name === rejected || (!!problem && problem !== 'amount') || undefined}
          aria-describedby={
            (name === rejected ? 'offer-failure ' : '') + (hint ? `${id}-hint` : '') || undefined
          }
        />
        {hint && (
          <small
            key={problem}
            id={`${id}-hint`}
            className={problem && 'problem'}
            {...(import.meta.env.EMAIL_USE && type && !problem && { lang: messages.hintLanguage })}
          >
            {hint}
          </small>
        )}
        {type === 'email' && <EmailSuggestion id={id} messages={messages} />}
      </Cell>
    );
  });
}

/** Its summary had the focus, and gives way to it; not where a reload has put a message back. */
function focusField({ currentTarget }: SyntheticEvent<HTMLElement>): void {
  const field = currentTarget.querySelector('textarea');
  if (currentTarget.matches('[open]') && !field?.value) field?.focus();
}

/** `Did you mean gmail.com?`, once the visitor has left the field. A press writes it into the field. */
function EmailSuggestion({ id, messages }: { id: string; messages: FormMessages }) {
  const [domain, setDomain] = useState<string>();
  useEffect(() => {
    const field = document.getElementById(id) as HTMLInputElement;
    const suggest = () => setDomain(suggestDomain(field.value));
    const clear = () => setDomain(undefined);
    // What the visitor leaves the field with must not move under the pointer: a press ends first.
    const leave = () =>
      setTimeout(() => (document.querySelector(':active') ? leave() : suggest()), SUGGESTION_DELAY_MS);
    // Left before hydration.
    if (document.activeElement !== field) suggest();
    field.addEventListener('blur', leave);
    field.addEventListener('input', clear);
    return () => {
      field.removeEventListener('blur', leave);
      field.removeEventListener('input', clear);
    };
  }, [id]);
  if (!domain) return null;

  const accept = () => {
    const field = document.getElementById(id) as HTMLInputElement;
    field.value = field.value.trim().replace(/@.*/, `@${domain}`);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.focus();
  };
  return (
    <small key={domain} role="alert">
      <button type="button" onClick={accept}>
        {interpolate(messages.didYouMean, { domain })}
      </button>
    </small>
  );
}

/** Returns what the browser finds wrong in a form. */
export function findProblems(form: HTMLFormElement): Problems {
  const fields = [...form.elements].filter((one) => one instanceof HTMLInputElement);
  return Object.fromEntries(fields.map((field) => [field.name, problemOf(field)]));
}

export function problemOf({ validity }: HTMLInputElement): Problems[string] {
  if (validity.valid) return undefined;
  return validity.valueMissing ? 'missing' : 'format';
}
