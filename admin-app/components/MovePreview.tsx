import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Move } from '#contract/negotiation.ts';
import { previewQuery } from '../stores/negotiation-admin.ts';
import { MailPreview } from './MailPreview.tsx';
import { useSettled } from './use-settled.ts';

/** The mail that a move would send, as the server composes it. */
export function MovePreview({ id, move, isComplete }: { id: string; move: Move; isComplete: boolean }) {
  const json = JSON.stringify(move);
  const typed = useSettled(json);
  const { data, isError } = useQuery({
    ...previewQuery(id, JSON.parse(typed)),
    enabled: isComplete && typed === json,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  if (isError || data === null) return null;
  const text = isComplete ? 'Loading...' : 'Type an amount to see it.';
  return <MailPreview mail={isComplete ? data : undefined} otherwise={text} />;
}
