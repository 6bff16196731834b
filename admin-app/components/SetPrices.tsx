import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { useContext, useEffect, useId, useRef, useState } from 'react';
import { formatPrice } from '#contract/format-price.ts';
import { MAX_NAME_CHANGES, type NameChange } from '#contract/names.ts';
import type { Price } from '#contract/price-of.ts';
import { priceIn } from '#contract/shown-amount.ts';
import type { Save } from '../stores/name-changes.ts';
import { chosenNames, nameChanges, namesStore } from '../stores/names-admin.ts';
import { type PriceStep, parsePriceLines, priceSteps } from '../stores/price-lines.ts';
import { DomainName } from './DomainName.tsx';
import { namesOf } from './FindNames.tsx';
import { Icon } from './Icon.tsx';
import { SignCurrencies } from './listings.ts';
import { ReadFailure } from './NameEditor.tsx';
import { useOwnPrice } from './use-names.ts';
import { useSettled } from './use-settled.ts';

/** Prices of the chosen names, a line each, with a preview of what they change. */
export function SetPrices({ onClose }: { onClose: () => void }) {
  const id = useId();
  const chosen = useStore(chosenNames.$chosen);
  const saves = useStore(nameChanges.$saves);
  const [text, setText] = useState(() => [...chosen].map(lineOf).join('\n'));
  const [isSending, setSending] = useState(false);
  const currencies = useContext(SignCurrencies);
  const settled = useSettled(text);
  const lines = parsePriceLines(settled, currencies);
  const names = [...new Set(lines.map(({ name }) => name))];
  const { data: values, isError, refetch } = useQuery(chosenNames.valuesQuery(names));
  const known = [...chosen].filter((name) => !names.includes(name));
  const steps = values ? priceSteps(lines, values, known, currencies) : [];
  const changes: NameChange[] = steps.flatMap((step) => (step.status === 'set' ? step.changes : []));
  const prices = steps.filter(({ status }) => status === 'set').length;
  const isTooMuch = changes.length > MAX_NAME_CHANGES;
  const isReady = prices > 0 && !isTooMuch && !isSending && settled === text;
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  /** Undefined once this is closed. */
  const shown = useRef<string>(undefined);
  useEffect(() => {
    shown.current = text;
    return () => {
      shown.current = undefined;
    };
  }, [text]);

  async function send() {
    if (!isReady) return;
    setSending(true);
    const isSaved = await nameChanges.send(changes);
    setSending(false);
    // Not what was typed since, and nothing that was opened and chosen since.
    if (!isSaved || shown.current !== text) return;
    chosenNames.clear();
    onClose();
  }

  return (
    <form
      className="names-box"
      aria-labelledby={`${id}-title`}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <h3 id={`${id}-title`}>Set prices for {namesOf(chosen.size)}</h3>
      <p>One name and its price in each line, with a minimum if you like. Paste from a spreadsheet.</p>
      <div className="two">
        <label>
          <b>Names and prices</b>
          <textarea
            ref={field}
            className="input"
            spellCheck={false}
            autoCapitalize="none"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <div>
          <ol className="preview-lines" aria-label="Preview" aria-busy={!values || settled !== text}>
            {steps.map((step, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a name may stand there twice
              <Line key={index} step={step} save={saves[step.name]} />
            ))}
          </ol>
          {isError && <ReadFailure onRetry={refetch} />}
          {isTooMuch && (
            <p role="alert" className="failed">
              These are {changes.length} values. At most {MAX_NAME_CHANGES} are set at a time: remove some
              lines.
            </p>
          )}
          <div className="foot">
            <p>Undo stands above the list afterwards.</p>
            <button type="button" className="button quiet" onClick={onClose}>
              Cancel
            </button>
            <button type="submit" className="button" aria-disabled={!isReady} aria-busy={isSending}>
              <span key={prices}>{prices === 1 ? 'Set 1 price' : `Set ${prices} prices`}</span>
            </button>
          </div>
        </div>
      </div>
    </form>
  );
}

/** `lap.app $4,500` */
function lineOf(name: string): string {
  return `${name} ${namesStore.listedName(name)?.price ?? ''}`.trim();
}

function Line({ step, save }: { step: PriceStep; save: Save | undefined }) {
  const shownPrice = useOwnPrice();
  const failure = save?.status === 'failed' ? (Object.values(save.problems)[0] ?? save.message) : undefined;
  if (step.status !== 'set' || failure !== undefined) {
    const text = failure ?? problemOf(step);
    return (
      <li data-wrong={step.status !== 'unchanged' || undefined}>
        <b>
          <DomainName name={step.name} />
        </b>
        <span key={text}>{text}</span>
      </li>
    );
  }
  const about = [percentText(step.percent), offerText(step.name, step.price)].filter(Boolean).join(', ');
  return (
    <li data-set>
      <b>
        <DomainName name={step.name} />
      </b>
      <span className="from">{shownPrice(step.from) || 'No price'}</span>
      <span role="img" aria-label="becomes">
        <Icon name="chevron" />
      </span>
      <b>{shownPrice(step.to)}</b>
      <span key={about}>{about}</span>
    </li>
  );
}

function problemOf(step: PriceStep): string {
  switch (step.status) {
    case 'unknown':
      return step.similar === undefined
        ? 'is none of your names. Add it by New names.'
        : `is none of your names. Did you mean ${step.similar}?`;
    case 'unreadable':
      return 'has no price that can be read: write an amount with its currency, such as $4,500.';
    case 'repeated':
      return 'stands in a line above already: remove one of them.';
    default:
      return 'has this price already.';
  }
}

/** `−13 %`; empty for no change, and where it cannot be said. */
function percentText(percent: number | undefined): string {
  if (!percent) return '';
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent)} %`;
}

/** What the price is to the best open offer of the name, as far as its row is known. */
function offerText(name: string, price: Price | undefined): string {
  const listed = namesStore.listedName(name);
  const best = listed && listed.open > 0 && listed.best ? priceIn(listed.best) : undefined;
  if (!best) return '';
  const isBelow = price?.currency === best.currency && Number(price.amount) < Number(best.amount);
  const text = formatPrice(best, 'en');
  return isBelow ? `below the open offer of ${text}` : `offer of ${text} is open`;
}
