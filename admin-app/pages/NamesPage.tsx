import { useStore } from '@nanostores/react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { AddedNote, AddNames } from '../components/AddNames.tsx';
import { ChosenBar } from '../components/ChosenBar.tsx';
import { Command } from '../components/Command.tsx';
import { CopyResult } from '../components/CopyEmail.tsx';
import { ErrorBoundary } from '../components/ErrorBoundary.tsx';
import { FindNames, namesOf } from '../components/FindNames.tsx';
import { Icon } from '../components/Icon.tsx';
import { NamesHistory } from '../components/NamesHistory.tsx';
import { NamesTable } from '../components/NamesTable.tsx';
import { NamesUndo } from '../components/NamesUndo.tsx';
import { SetPrices } from '../components/SetPrices.tsx';
import { SiteBanner } from '../components/SiteBanner.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { type Names, useCatalogueFile, useNames } from '../components/use-names.ts';
import { useStyles } from '../components/use-styles.ts';
import { refreshNames, siteQuery } from '../stores/admin.ts';
import { addedNames, chosenNames, exportNames, namesStore } from '../stores/names-admin.ts';
import { isAllNames } from '../stores/names-view.ts';
import styles from './names-page.css?inline';

/** What takes the place above the list. */
type Box = 'prices' | 'new names' | 'history' | undefined;

/** The names of the catalogue, and what can be changed of them. */
export default function NamesPage() {
  useStyles(styles);
  const names = useNames();
  const file = useCatalogueFile();
  const [box, open] = useState<Box>();
  useFragment();
  const isOwn = typeof file === 'object' && file.file === 'own';
  const language = (typeof file === 'object' && file.languages[0]) || 'en';
  const { total = 0, isCounted = false } = names.status === 'loaded' ? names : {};
  const close = () => open(undefined);

  return (
    <main className="names-page">
      <SiteBanner />
      <FileNote />
      <div className="heading">
        <div>
          <h2 id="names-title" tabIndex={-1}>
            Names
          </h2>
          <p>What is for sale, at what price, and what is offered</p>
        </div>
        <NamesUndo />
        <Actions isOwn={isOwn} language={language} box={box} open={open} />
      </div>
      <FindNames isCounted={isCounted} />
      {box === 'prices' && <SetPrices onClose={close} />}
      {box === 'new names' && <AddNames onClose={close} />}
      {box === 'history' && <NamesHistory />}
      <AddedNote />
      {names.status === 'failed' && (
        <div className="error">
          <p role="alert">{names.message}</p>
          <button type="button" className="button quiet" onClick={refreshNames}>
            Try again
          </button>
        </div>
      )}
      {names.status === 'loading' && <Spinner text="Loading names..." />}
      {names.status === 'loaded' && names.total > 0 && (
        <ErrorBoundary what="the list">
          <NamesTable {...names} language={language} canChange={isOwn} />
        </ErrorBoundary>
      )}
      {names.status === 'loaded' && names.total === 0 && !names.reloading && <NoNames isOwn={isOwn} />}
      <Foot names={names} />
      {box !== 'prices' && <ChosenBar total={total} onSetPrices={() => open('prices')} />}
      <CopyResult />
    </main>
  );
}

/** Follows the URL's fragment. */
function useFragment(): void {
  useEffect(() => {
    const open = () => namesStore.openView(location.hash);
    open();
    window.addEventListener('hashchange', open);
    return () => {
      window.removeEventListener('hashchange', open);
      namesStore.stopTyping();
    };
  }, []);
}

/** Whose file it is, where names cannot be changed here. */
function FileNote() {
  const file = useCatalogueFile();
  const { mutate, isPending, isError, error } = useMutation(addedNames.makeOwn);
  if (file === undefined || file === 'unavailable' || file.file === 'own') return null;
  if (file.file === 'read_only') {
    return (
      <div className="notice">
        <p>
          {file.problem ?? 'The server cannot write the catalogue’s file.'} An opened row has the commands.
        </p>
      </div>
    );
  }
  return (
    <div className="notice own-note">
      <p>These names are a sample. Make your own catalogue to change them, and to add yours.</p>
      <button type="button" className="button" aria-busy={isPending} onClick={() => isPending || mutate()}>
        Make your own
      </button>
      {isError && (
        <p role="alert" className="failed">
          {error.message || 'Failed to make the catalogue. Please try again.'}
        </p>
      )}
    </div>
  );
}

interface ActionsProps {
  isOwn: boolean;
  language: string;
  box: Box;
  open: (box: Box) => void;
}

/** Buttons beside the heading, in a menu on a phone. */
function Actions({ isOwn, language, box, open }: ActionsProps) {
  const { mutate, isPending, isError } = useMutation(exportNames);
  const file = useCatalogueFile();
  const [isMenu, setMenu] = useState(false);
  const [isCommand, setCommand] = useState(false);
  const toggle = (next: Box) => {
    open(box === next ? undefined : next);
    setMenu(false);
  };
  const exportAll = () => {
    setMenu(false);
    if (file === 'unavailable') setCommand(!isCommand);
    else if (!isPending) mutate(language);
  };
  return (
    <>
      <fieldset
        className="names-actions"
        aria-label="Actions"
        onKeyDown={({ key }) => key === 'Escape' && setMenu(false)}
      >
        <button
          type="button"
          className="button quiet menu"
          aria-label="More"
          aria-expanded={isMenu}
          onClick={() => setMenu(!isMenu)}
        >
          <Icon name="more" />
        </button>
        <div data-open={isMenu || undefined}>
          {isOwn && (
            <>
              <button
                type="button"
                className="button quiet several"
                onClick={() => {
                  chosenNames.$isChoosing.set(true);
                  setMenu(false);
                }}
              >
                Choose several
              </button>
              <button
                type="button"
                className="button quiet"
                aria-expanded={box === 'new names'}
                onClick={() => toggle('new names')}
              >
                New names
              </button>
            </>
          )}
          <button
            type="button"
            className="button quiet"
            aria-expanded={box === 'history'}
            onClick={() => toggle('history')}
          >
            History
          </button>
          <button type="button" className="button quiet" aria-busy={isPending} onClick={exportAll}>
            <span key={String(isPending)}>{isPending ? 'Exporting...' : 'Export'}</span>
          </button>
        </div>
      </fieldset>
      {isCommand && <Command about="Export:" text="npm run catalogue -- export names.csv" />}
      {isError && (
        <p className="error" role="alert">
          Failed to export the names. Please try again.
        </p>
      )}
    </>
  );
}

function NoNames({ isOwn }: { isOwn: boolean }) {
  const isFiltered = !isAllNames(useStore(namesStore.$view));
  const [title, text] = isFiltered
    ? ['No names found', 'No name matches the search and filters.']
    : [
        'No names yet',
        isOwn ? 'Add them by New names.' : 'Names of the catalogue appear here once they are published.',
      ];
  return (
    <div className="empty">
      <h3>{title}</h3>
      <p>{text}</p>
    </div>
  );
}

/** How many names are listed. Always there, so that screen readers notice its change. */
function Foot({ names }: { names: Names }) {
  const { data: site } = useQuery(siteQuery);
  const isFiltered = !isAllNames(useStore(namesStore.$view));
  const isRead = names.status === 'loaded' && !names.reloading;
  const text = names.status === 'failed' ? '' : isRead ? namesOf(names.total) : 'Reading names…';
  return (
    <div className="names-foot">
      <p role="status">
        <span key={text}>{text}</span>
      </p>
      {names.status === 'loaded' && names.isCounted && (
        <p className="about-visits">
          Visits of browsers over https, without robots, by day in UTC.
          {site === 'unavailable' && <span> Pages that a Worker or a CDN serves are not counted.</span>}
        </p>
      )}
      {isFiltered && (
        <button type="button" className="word" onClick={namesStore.showAll}>
          Show all
        </button>
      )}
    </div>
  );
}
