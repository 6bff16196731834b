import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useId, useState } from 'react';
import { MAX_NAME_VALUE, type NamesRead, type NameValues } from '#contract/names.ts';
import type { Save } from '../stores/name-changes.ts';
import {
  changesOf,
  FOR_SALE,
  fieldText,
  type NameDraft,
  type NameField,
  shownValue,
} from '../stores/name-values.ts';
import type { ListedName } from '../stores/names.ts';
import { nameChanges, namesStore } from '../stores/names-admin.ts';
import { NAME_STATES } from '../stores/names-view.ts';
import { Command } from './Command.tsx';
import { NameSteps } from './NameSteps.tsx';
import { NamesHistory } from './NamesHistory.tsx';
import { STATE_WORDS, stateWord } from './StateWord.tsx';
import { useShownName } from './shown-names.ts';
import { summaryOf } from './visit-shares.ts';

/** Of both pages. */
const DeclineOthers = lazy(() => import('./DeclineOthers.tsx'));

const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' });

interface Props {
  id: string;
  listed: ListedName;
  values: NameValues | undefined;
  /** The name is reserved or sold. */
  isEnded: boolean;
  save: Save | undefined;
}

/** The opened row: its fields, or the commands that change the name. */
export function NameEditor({ id, listed, values, isEnded, save }: Props) {
  const { data: file, isError, refetch } = useQuery(namesStore.fileQuery([]));
  const shown = useShownName(listed.name);
  const draft = useStore(nameChanges.$drafts)[listed.name];
  const [isHistory, showHistory] = useState(false);
  const props = { listed, isHistory, showHistory, shown };
  let content: ReactNode;
  if (file === undefined) content = isError ? <ReadFailure onRetry={refetch} /> : <p>Loading...</p>;
  else if (file === 'unavailable' || file.file === 'read_only') content = <Commands {...props} file={file} />;
  else if (file.file === 'sample') content = <SampleNote {...props} />;
  else content = <Values {...props} {...{ file, values, save, draft }} />;
  return (
    <section id={id} className="name-panel" aria-label={shown}>
      {listed.numbers && <p key={listed.numbers.month}>{summaryOf(listed.numbers)}</p>}
      {content}
      {isEnded && (
        <Suspense>
          <DeclineOthers name={listed.name} />
        </Suspense>
      )}
      {isHistory && <NamesHistory name={listed.name} />}
    </section>
  );
}

/** Also in the box of prices. */
export function ReadFailure({ onRetry }: { onRetry: () => unknown }) {
  return (
    <p role="alert" className="failed">
      Failed to read the catalogue.{' '}
      <button type="button" className="button quiet" onClick={() => onRetry()}>
        Try again
      </button>
    </p>
  );
}

interface PanelProps {
  listed: ListedName;
  shown: string;
  isHistory: boolean;
  showHistory: (is: boolean) => void;
}

interface FieldsProps extends PanelProps {
  file: NamesRead;
  values: NameValues;
  save: Save | undefined;
  draft: NameDraft | undefined;
}

function Fields({ listed: { name }, file, values, save, draft, shown, ...history }: FieldsProps) {
  const seen = draft?.seen ?? values;
  const isDirty = draft !== undefined && changesOf(name, draft).length > 0;
  const [isAsking, ask] = useState(false);
  const isSaving = save?.status === 'saving';
  const fieldOf = (field: NameField) => ({
    name,
    field,
    seen,
    text: draft?.typed[field] ?? fieldText(seen, field),
    save: save?.status === 'failed' ? save : undefined,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isDirty) nameChanges.save(name);
      }}
    >
      <div className="cells">
        <StateField {...fieldOf('state')} />
        <TextField {...fieldOf('price')} label="Price" />
        <TextField {...fieldOf('minimum')} label="Minimum" />
        {file.languages.map((language) => (
          <TextField
            key={language}
            {...fieldOf(`description.${language}`)}
            label={
              file.languages.length === 1 ? 'Description' : `Description, ${LANGUAGE_NAMES.of(language)}`
            }
            language={language}
            most={file.max_description}
          />
        ))}
      </div>
      <div className="name-foot">
        <div className="name-status">
          <div role="status">
            {isSaving && <p>Saving…</p>}
            {(save?.status === 'saved' || save?.status === 'live') && <NameSteps save={save} />}
          </div>
          {save?.status === 'failed' && (
            <p key={save.message} role="alert" className="failed">
              {save.message}
            </p>
          )}
          {save?.status === 'failed' && save.command && <Command text={save.command} />}
        </div>
        <HistoryButton {...history} shown={shown} />
        {isAsking ? (
          <fieldset className="name-question" aria-label="Close without saving">
            <span>Close without saving?</span>
            <button
              // biome-ignore lint/a11y/noAutofocus: takes the focus of the button that it replaces
              autoFocus
              type="button"
              className="button quiet danger"
              onClick={() => {
                nameChanges.discard(name);
                close(name);
              }}
            >
              Discard
            </button>
            <button type="button" className="button quiet" onClick={() => ask(false)}>
              Keep editing
            </button>
          </fieldset>
        ) : (
          <button
            type="button"
            className="button quiet"
            onClick={() => {
              // The row says how it ends.
              if (isSaving) return close(name);
              if (isDirty) return ask(true);
              nameChanges.discard(name);
              close(name);
            }}
          >
            Close
          </button>
        )}
        <button
          type="submit"
          className={isDirty ? 'button' : 'button quiet'}
          aria-disabled={!isDirty || isSaving}
          aria-busy={isSaving}
        >
          Save
        </button>
      </div>
    </form>
  );
}

/** Closes the row. The focus goes to its button, and not to the top of the page. */
function close(name: string): void {
  const panel = document.getElementById(`name-${name}`);
  panel?.closest('td')?.querySelector<HTMLElement>('button.open')?.focus();
  namesStore.toggleName(name);
}

interface FieldProps {
  name: string;
  field: NameField;
  seen: NameValues;
  text: string;
  /** The error of saving. */
  save: Extract<Save, { status: 'failed' }> | undefined;
}

function StateField({ name, field, seen, text, save }: FieldProps) {
  const id = useId();
  return (
    <fieldset className="field">
      <legend>State</legend>
      <div className="choice">
        {NAME_STATES.map((state) => (
          <label key={state}>
            <input
              type="radio"
              name={id}
              checked={state === text}
              onChange={() => nameChanges.type(name, seen, field, state)}
            />
            {STATE_WORDS[state]}
          </label>
        ))}
      </div>
      <FieldNote id={`${id}-note`} field={field} save={save} />
    </fieldset>
  );
}

interface TextFieldProps extends FieldProps {
  label: string;
  /** Of a description. */
  language?: string;
  /** Longest text, in code points. */
  most?: number;
}

function TextField({ name, field, seen, text, save, label, language, most }: TextFieldProps) {
  const id = useId();
  const { value, is_default } = shownValue(seen, field);
  const isDefault = is_default && value !== null;
  const hint = most === undefined ? (isDefault ? 'default' : '') : `${[...text].length} of ${most}`;
  const isWrong = save !== undefined && (field in save.problems || field in save.meanwhile);
  const props = {
    id,
    value: text,
    placeholder: isDefault ? value : undefined,
    autoComplete: 'off',
    'aria-describedby': `${id}-hint ${id}-note`,
    'aria-invalid': isWrong || undefined,
    onChange: ({ target }: { target: { value: string } }) =>
      nameChanges.type(name, seen, field, target.value.replace(/\s*\n\s*/g, ' ')),
  };
  return (
    <div className="field" data-long={most !== undefined || undefined}>
      <label htmlFor={id}>{label}</label>
      <small id={`${id}-hint`}>{hint}</small>
      {most === undefined ? (
        <input {...props} maxLength={MAX_NAME_VALUE} spellCheck={false} />
      ) : (
        <textarea
          {...props}
          rows={2}
          lang={language}
          maxLength={most}
          onKeyDown={(event) => {
            // A description has one line.
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
      )}
      <FieldNote
        id={`${id}-note`}
        field={field}
        save={save}
        isDefault={most !== undefined && isDefault && text === ''}
      />
    </div>
  );
}

interface NoteProps extends Pick<FieldProps, 'field' | 'save'> {
  id: string;
  isDefault?: boolean;
}

/** What is wrong with a field, or which value others have set meanwhile. */
function FieldNote({ id, field, save, isDefault = false }: NoteProps) {
  const meanwhile = save?.meanwhile[field];
  const text =
    save?.problems[field] ??
    (meanwhile === undefined
      ? ''
      : `Now ${field === 'state' ? stateWord(meanwhile ?? FOR_SALE) : (meanwhile ?? 'without a value')}`);
  return (
    <div id={id} className="field-note" data-wrong={text !== '' || undefined}>
      {text ? <span key={text}>{text}</span> : isDefault && <span key="default">From defaults</span>}
    </div>
  );
}

function HistoryButton({ isHistory, showHistory, shown }: Omit<PanelProps, 'listed'>) {
  return (
    <button
      type="button"
      className="word"
      aria-label={`History of ${shown}`}
      aria-expanded={isHistory}
      onClick={() => showHistory(!isHistory)}
    >
      History
    </button>
  );
}

function Foot({ name, ...history }: Omit<PanelProps, 'listed'> & { name: string }) {
  return (
    <div className="name-foot">
      <HistoryButton {...history} />
      <button type="button" className="button quiet" onClick={() => close(name)}>
        Close
      </button>
    </div>
  );
}

const VERBS = { for_sale: 'for-sale', reserved: 'reserve', sold: 'sold' } as const;
const ABOUT = { for_sale: 'For sale:', reserved: 'Reserve:', sold: 'Sold:' } as const;

/** In place of fields, where the server cannot write the file. */
function Commands({
  listed: { name, state },
  file,
  shown,
  ...history
}: PanelProps & { file: NamesRead | 'unavailable' }) {
  const isHere = file !== 'unavailable';
  const begin = (isHere && file.command) || 'npm run catalogue --';
  const end = isHere ? '' : ' && npm run build';
  return (
    <>
      <p>
        {isHere
          ? (file.problem ?? 'The server cannot write the catalogue’s file.')
          : 'The catalogue is a file on the computer that builds the pages. Change the name there:'}
      </p>
      {NAME_STATES.filter((each) => each !== state).map((each) => (
        <Command key={each} about={ABOUT[each]} text={`${begin} ${VERBS[each]} ${name}${end}`} />
      ))}
      <p>
        Price, minimum and description are in the catalogue’s file{isHere && `, ${file.shown}`}. Several at
        once: <code translate="no">{begin} import names.csv</code>
      </p>
      <Foot name={name} shown={shown} {...history} />
    </>
  );
}

function SampleNote({ listed: { name }, shown, ...history }: PanelProps) {
  return (
    <>
      <p>This name is one of the sample. Make your own catalogue, above the list, to change it.</p>
      <Foot name={name} shown={shown} {...history} />
    </>
  );
}

/**
 * The fields of a name. Its values are read here where they did not come with its row yet; the fields stay, with the
 * focus, when they come.
 */
function Values({
  file,
  values,
  save,
  draft,
  ...props
}: Omit<FieldsProps, 'values'> & Pick<Props, 'values'>) {
  const { name } = props.listed;
  const { data, isError, refetch } = useQuery({
    ...namesStore.fileQuery([name]),
    enabled: values === undefined,
  });
  const read = values ?? (typeof data === 'object' ? data.names[name] : undefined);
  if (read) return <Fields {...props} {...{ file, save, draft }} values={read} />;
  if (isError) return <ReadFailure onRetry={refetch} />;
  if (!data) return <p>Loading...</p>;
  const { listed: _, ...foot } = props;
  return (
    <>
      <p>
        This name is not in the catalogue’s file any more, {file.shown}. It leaves this list once the pages
        are built.
      </p>
      <Foot name={name} {...foot} />
    </>
  );
}
