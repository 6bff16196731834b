import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import type { Offer } from '#contract/offer.ts';
import { removeOffer } from '../stores/admin.ts';
import { DomainName } from './DomainName.tsx';

interface Props {
  offer: Offer;
  onClose: () => void;
}

/** The question before an offer is deleted, such as one of a program. It stays until the offer is, or shows that it failed. */
export default function RemoveOffer({ offer: { id, customer_name, domain_name }, onClose }: Props) {
  const question = useRef<HTMLDialogElement>(null);
  const { mutate, isPending, isError } = useMutation(removeOffer);
  useEffect(() => question.current?.showModal(), []);
  return (
    <dialog
      ref={question}
      aria-labelledby={`remove-${id}`}
      // What is being removed cannot be cancelled.
      onCancel={(event) => isPending && event.preventDefault()}
      onClose={onClose}
    >
      <p id={`remove-${id}`}>
        Remove the offer of <bdi>{withoutDirectionMarks(customer_name)}</bdi> for{' '}
        <DomainName name={domain_name} />?
      </p>
      <p>It is deleted with its message, and this cannot be undone. Backups made earlier still hold it.</p>
      {isError && <p role="alert">Failed to remove the offer.</p>}
      <button
        type="button"
        className="button quiet"
        aria-disabled={isPending}
        onClick={() => isPending || question.current?.close()}
      >
        Cancel
      </button>
      <button
        type="button"
        className="button quiet"
        aria-busy={isPending}
        onClick={() => isPending || mutate(id, { onSuccess: () => question.current?.close() })}
      >
        <span key={String(isPending)}>{isPending ? 'Removing...' : 'Remove'}</span>
      </button>
    </dialog>
  );
}
