import islandMessages from 'virtual:island-messages';
import { useStore } from '@nanostores/react';
import { type InputEvent, memo, type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { interpolate } from '#contract/interpolate.ts';
import { forEachVisitorField } from '#contract/offer-fields.ts';
import { sizeOf } from '../domain-name/size-of.ts';
import type { Language } from '../i18n/languages.ts';
import { prefixedLanguage } from '../i18n/locale-prefix.ts';
import type { FormMessages } from '../i18n/messages.ts';
import { followCards } from '../page-scripts/follow-cards.ts';
import { $botCheck, type BotCheck, startBotCheck, stopBotCheck } from '../stores/bot-check.ts';
import { $offer, failUnsupported, failWithoutDomain, submitOffer } from '../stores/offer.ts';
import { $press, endPress, type Press, pressOffer } from '../stores/press.ts';
import { $selected, type Selection } from '../stores/selection.ts';
import stateStyles from '../styles/form-states.css?inline';
import { OfferFailure, Retry, UnsupportedBrowser, useOffline } from './OfferFailure.tsx';
import { findProblems, OfferFields, type Problems, problemOf } from './OfferFields.tsx';
import { OfferSubmitted } from './OfferSubmitted.tsx';
import { usePress } from './use-press.ts';
import { useStyles } from './use-styles.ts';
import { useTyped } from './use-typed.ts';

interface Props {
  initial: Selection | null;
  language: Language;
}

/**
 * The offer form. The inputs are uncontrolled, so that text typed before hydration stays.
 * After a success the form is only hidden, so that name and email are there for the next offer.
 */
export const OfferForm = memo(function OfferForm({ initial, language }: Props) {
  const { form: messages, rejections, steps, replyHours } = islandMessages[language];
  const selected = useStore($selected, { ssr: 'initial' }) ?? initial;
  const domain = selected?.shown ?? selected?.name;
  const offer = useStore($offer, { ssr: 'initial' });
  const check = useStore($botCheck, { ssr: 'initial' });
  const press = useStore($press, { ssr: 'initial' });
  const form = useRef<HTMLFormElement>(null);
  const widget = useRef<HTMLDivElement>(null);
  /** The name for which the form said that there is no number. */
  const asked = useRef<string>(undefined);
  const submitting = offer.status === 'submitting';
  const submitted = offer.status === 'submitted';
  // The form stays, for another offer.
  const isLow = import.meta.env.LOW_OFFERS && submitted && offer.low === true;
  const isLeft = press?.status === 'left';
  const canSubmit = !!domain && check.status === 'ready' && !submitting;

  const contact = () => {
    if (widget.current) startBotCheck(widget.current, selected?.name);
  };

  const [problems, setProblems] = useState<Problems>({});

  useStyles(stateStyles);
  useTyped(form, submitted);
  useEffect(followCards, []);
  useEffect(() => {
    // From now on the page shows what is wrong, in its own words.
    if (form.current) form.current.noValidate = true;
  }, []);

  useEffect(() => {
    if (form.current && touched(form.current) && widget.current) {
      startBotCheck(widget.current, initial?.name);
    }
    return stopBotCheck;
  }, [initial]);

  useEffect(() => {
    if (offer.status !== 'submitted') return;
    const { offer_amount, message } = offer.offer;
    // Some browsers send line breaks with a carriage return.
    const sent = [offer_amount, message?.replaceAll('\r', '')];
    // Name and email stay, and what was written since.
    const fields = form.current?.querySelectorAll<HTMLInputElement>('#offer-amount, textarea') ?? [];
    for (const field of fields) if (sent.includes(field.value)) field.value = '';
  }, [offer]);

  const fieldsOf = (form: HTMLFormElement) => {
    const fields = new FormData(form);
    const locale = prefixedLanguage(language, location.pathname);
    return {
      // Selected before hydration: not yet rendered.
      domain_name: ($selected.get() ?? initial)?.name ?? '',
      ...forEachVisitorField((_, name) => String(fields.get(name))),
      ...(locale && { locale }),
      ...(import.meta.env.OFFER_MESSAGE && { message: String(fields.get('message') ?? '') }),
    };
  };

  /** Shows what is wrong in the fields, and moves the focus to the first of them. Returns whether there is any. */
  const showProblems = (form: HTMLFormElement) => {
    const found = findProblems(form);
    setProblems(found);
    const [wrong] = form.querySelectorAll<HTMLInputElement>('input:invalid');
    wrong?.focus();
    return !!wrong;
  };

  /** Says once for a name with a minimum that the offer has no number, and moves the focus to it. Returns whether it did. */
  const asksForAmount = (form: HTMLFormElement, { name, hasMinimum }: Partial<Selection>) => {
    const field = form.querySelector<HTMLInputElement>('#offer-amount');
    if (!hasMinimum || asked.current === name || !field || /\p{Nd}/u.test(field.value)) return false;
    asked.current = name;
    setProblems({ [field.name]: 'amount' });
    field.focus();
    return true;
  };

  const carryOut = (form: HTMLFormElement, until: number) => {
    const selection = $selected.get() ?? initial ?? {};
    const { name, shown }: Partial<Selection> = selection;
    contact();
    try {
      // The first mistake is the first message.
      if (!name) failWithoutDomain();
      else if (!showProblems(form) && !(import.meta.env.LOW_OFFERS && asksForAmount(form, selection)))
        return pressOffer(fieldsOf(form), shown ?? name, until);
    } catch {
      failUnsupported();
    }
    endPress();
  };
  usePress(form, carryOut, fieldsOf);

  // A press on the button is carried out already; a script may submit while it is disabled.
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!canSubmit && !showProblems(event.currentTarget))
      void submitOffer(fieldsOf(event.currentTarget), domain);
  };

  const edit = ({ target }: InputEvent<HTMLFormElement>) => {
    // For autofill, which sets no focus. After a failure the next focus retries, not each letter.
    if (check.status === 'idle') contact();
    // A problem shows until it is gone, and another one only after the next press.
    if (target instanceof HTMLInputElement && problems[target.name] !== problemOf(target))
      setProblems({ ...problems, [target.name]: undefined });
  };

  return (
    <section id="offer" className="offer" aria-labelledby="offer-title">
      {offer.status === 'submitted' && (
        <OfferSubmitted
          submitted={offer}
          isLeft={isLeft}
          messages={messages}
          steps={steps}
          language={language}
          replyHours={replyHours}
        />
      )}
      {/* POST, so that no input can end up in a URL. */}
      <form
        ref={form}
        method="post"
        hidden={submitted && !isLow}
        aria-labelledby="offer-title"
        onSubmit={submit}
        onFocus={contact}
        onPointerDown={contact}
        onInput={edit}
        // For `data-press`.
        suppressHydrationWarning
      >
        <h2 id="offer-title">{messages.title}</h2>
        <FormLine>
          {domain ? (
            <>
              {`${messages.forDomain} `}
              <strong translate="no" data-size={sizeOf(domain)}>
                {domain}
              </strong>
              {`. ${messages.lead}`}
            </>
          ) : (
            messages.failures['no-domain']
          )}
        </FormLine>
        <div className="cells">
          <OfferFields
            messages={messages}
            rejected={offer.status === 'failed' ? offer.field : undefined}
            problems={problems}
          />
          {/* A press on the button while it is disabled reaches this element (page-scripts/remember-press.ts). */}
          <div className="action" tabIndex={-1}>
            <button
              className="button"
              type="submit"
              disabled={!canSubmit}
              // For `aria-busy`.
              suppressHydrationWarning
            >
              <span key={offer.status}>{submitting ? messages.submitting : messages.submit}</span>
            </button>
          </div>
        </div>
        {(press?.status === 'changed' || press?.status === 'late') &&
        check.status !== 'failed' &&
        check.status !== 'unsupported' ? (
          <p key={press.status} className="check error" role="alert">
            {interpolate(messages.pressEnded[press.status], { submit: messages.submit })}
          </p>
        ) : check.status === 'waiting' || (check.status === 'ready' && !domain) ? (
          !(offer.status === 'failed' && offer.reason === 'no-domain') && (
            <p className="check">{messages.failures['no-domain']}</p>
          )
        ) : (
          // One message at a time: what is typed can be sent once the check has repeated itself.
          !(check.status === 'failed' && offer.status === 'failed') && (
            <BotCheckStatus key={check.status} check={check} messages={messages} />
          )
        )}
        <div ref={widget} className="widget" />
        {offer.status === 'failed' && check.status !== 'unsupported' && (
          <OfferFailure
            failure={offer}
            messages={messages}
            rejections={rejections}
            retryAt={offer.reason === 'unexpected' ? retryAtOf(press, check) : undefined}
            isElsewhere={isLeft || (press?.status === 'waiting' && press.tries > 1)}
          />
        )}
      </form>
    </section>
  );
});

/** When the pressed offer is tried again: there is a token, and the pause after its last request is over. */
function retryAtOf(press: Press | undefined, check: BotCheck): number | undefined {
  if (press?.status !== 'waiting') return undefined;
  return Math.max(press.retryAt, check.status === 'failed' ? check.retryAt : 0);
}

/**
 * What the form is for. React renders it in the page, and then leaves it as it is: it changes with the card before React is
 * there (page-scripts/show-selected-card.ts).
 */
const FormLine = memo(
  function FormLine({ children }: { children: ReactNode }) {
    const line = !import.meta.env.SSR && document.querySelector('.for');
    return line ? (
      <p
        className="for"
        suppressHydrationWarning
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the page's own, which stays
        dangerouslySetInnerHTML={{ __html: line.innerHTML }}
      />
    ) : (
      <p className="for">{children}</p>
    );
  },
  () => true,
);

/** Whether the visitor used the form before hydration. */
function touched(form: HTMLFormElement): boolean {
  return (
    form.contains(document.activeElement) ||
    [...form.elements].some((field) => field instanceof HTMLInputElement && field.value !== '')
  );
}

interface BotCheckStatusProps {
  check: Exclude<BotCheck, { status: 'waiting' }>;
  messages: FormMessages;
}

/** State of the bot check. Only a failure is announced to screen readers: the other states pass by themselves. */
function BotCheckStatus({ check, messages }: BotCheckStatusProps) {
  const { status } = check;
  const isOffline = useOffline();
  const failed = check.status === 'failed';
  if (isOffline && failed) return null;
  if (status === 'unsupported')
    return (
      <p className="error" role="alert">
        <UnsupportedBrowser {...messages} />
      </p>
    );
  return (
    <p className={failed ? 'check error' : `check ${status}`}>
      {failed ? (
        <>
          <span role="alert">{messages.botCheck.failed}</span>
          <Retry key={check.retryAt} at={check.retryAt} messages={messages} />
        </>
      ) : (
        messages.botCheck[status]
      )}
    </p>
  );
}
