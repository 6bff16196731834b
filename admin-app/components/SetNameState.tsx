import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { ListingState } from '#contract/publication.ts';
import { ownValue, savedValue } from '../stores/name-values.ts';
import { nameChanges, namesStore } from '../stores/names-admin.ts';
import { Command } from './Command.tsx';
import { StepMark } from './NameSteps.tsx';
import { useShownName } from './shown-names.ts';
import { useFocusBack } from './use-focus-back.ts';

/** The commands that do the same on the server. */
const COMMANDS: Readonly<Record<ListingState, string>> = {
  for_sale: 'for-sale',
  reserved: 'reserve',
  sold: 'sold',
};

/** Gives a name a state in the catalogue's file, or shows the command where the product cannot write it. */
export default function SetNameState({ name, to }: { name: string; to: ListingState }) {
  const { data: read, failureCount, isFetching } = useQuery(namesStore.fileQuery([name]));
  const save = useStore(nameChanges.$saves)[name];
  const shown = useShownName(name);
  const values = read && read !== 'unavailable' && read.file === 'own' ? read.names[name] : undefined;
  if (!read && failureCount === 0) return null;
  if (!values) return <Command text={`npm run catalogue -- ${COMMANDS[to]} ${name} && npm run build`} />;
  // Not the mark of an earlier change to another state. What was saved is read again.
  const isSet = isFetching || ownValue(values, 'state') === savedValue('state', to);
  if (save?.status === 'saving' || (save && save.status !== 'failed' && isSet))
    return <StepMark save={save} />;
  const text = {
    for_sale: `Put ${shown} up for sale`,
    reserved: `Reserve ${shown}`,
    sold: `Show ${shown} as sold`,
  }[to];
  const change = {
    name,
    field: 'state',
    from: ownValue(values, 'state'),
    to: savedValue('state', to),
  } as const;
  return (
    <>
      <Press text={text} onPress={() => void nameChanges.send([change])} />
      {save?.status === 'failed' && (
        <p className="failed" role="alert">
          {save.message}
        </p>
      )}
    </>
  );
}

/** The focus stays in its place, where the mark of the change takes that of the button. */
function Press({ text, onPress }: { text: string; onPress: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useFocusBack(button, (removed) => removed.closest('.name-state'));
  return (
    <button ref={button} type="button" className="button quiet" onClick={onPress}>
      <span key={text}>{text}</span>
    </button>
  );
}
