import { useStore } from '@nanostores/react';
import { createContext, useContext } from 'react';
import { $now } from '../stores/now.ts';
import { timeLeft } from './time-left.ts';

/** The catalogue's setting `replyWithin`. */
export const ReplyWithin = createContext<string | undefined>(undefined);

/** What is left of the promised time, below the badge of a pending offer. */
export function TimeLeft({ createdAt }: { createdAt: string }) {
  const left = timeLeft(createdAt, useStore($now), useContext(ReplyWithin));
  if (!left) return null;
  return (
    <span className="time-left" data-urgent={left.isUrgent || undefined}>
      {left.text}
    </span>
  );
}
