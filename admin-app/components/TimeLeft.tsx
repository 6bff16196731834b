import { useStore } from '@nanostores/react';
import { $now } from '../stores/clock.ts';
import { timeLeft } from './time-left.ts';

/** What is left of the 24 hours, below the badge of a pending offer. */
export function TimeLeft({ createdAt }: { createdAt: string }) {
  const left = timeLeft(createdAt, useStore($now));
  if (!left) return null;
  return (
    <span className="time-left" data-urgent={left.isUrgent || undefined}>
      {left.text}
    </span>
  );
}
