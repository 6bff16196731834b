import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import { $messageLines, requestMessageLine } from '../stores/admin.ts';
import { Icon } from './Icon.tsx';

/** The first line of the message that the customer added. Nothing where there is none, or while it is not known. */
export function MessageLine({ id }: { id: string }) {
  const { [id]: line } = useStore($messageLines, { keys: [id] });
  useEffect(() => requestMessageLine(id), [id]);
  if (line === undefined) return null;
  return (
    <span className="message-line">
      <Icon name="message" />
      <bdi>{withoutDirectionMarks(line)}</bdi>
    </span>
  );
}
