import { createContext, useContext } from 'react';
import type { Returned } from '#contract/calls.ts';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import { Icon } from './Icon.tsx';

/** The first lines of the messages in the list, as far as they are known. */
export const ShownMessageLines = createContext<Returned<'message_lines'>>({});

/** The first line of the message that the customer added. Nothing where there is none, or while it is not known. */
export function MessageLine({ id }: { id: string }) {
  const { [id]: line } = useContext(ShownMessageLines);
  if (line === undefined) return null;
  return (
    <span className="message-line">
      <Icon name="message" />
      <bdi>{withoutDirectionMarks(line)}</bdi>
    </span>
  );
}
