import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { withoutDirectionMarks } from '#contract/direction-marks.ts';
import type { Offer } from '#contract/offer.ts';
import { removeOffer } from '../stores/admin.ts';
import { DomainName } from './DomainName.tsx';
import { useShownName } from './shown-names.ts';

/** Deletes an offer after a question, such as one of a program. */
export function RemoveOffer({ offer: { id, customer_name, domain_name } }: { offer: Offer }) {
  const question = useRef<HTMLDialogElement>(null);
  const { mutate, isPending, isError } = useMutation(removeOffer);
  const domain = useShownName(domain_name);
  const customer = withoutDirectionMarks(customer_name);
  const questionId = `remove-${id}`;

  function ask() {
    if (!question.current) return;
    // Escape leaves the last answer.
    question.current.returnValue = '';
    question.current.showModal();
  }

  return (
    <>
      <button
        type="button"
        className="button quiet remove"
        aria-label={`Remove the offer of ${customer} for ${domain}`}
        aria-busy={isPending}
        onClick={ask}
      >
        Remove
      </button>
      {isError && (
        <p className="failed" role="alert">
          Failed to remove the offer.
        </p>
      )}
      <dialog
        ref={question}
        aria-labelledby={questionId}
        onClose={({ currentTarget }) => currentTarget.returnValue === 'remove' && mutate(id)}
      >
        <form method="dialog">
          <p id={questionId}>
            Remove the offer of <bdi>{customer}</bdi> for <DomainName name={domain_name} />?
          </p>
          <p>
            It is deleted with its message, and this cannot be undone. Backups made earlier still hold it.
          </p>
          <button type="submit" className="button quiet" value="cancel">
            Cancel
          </button>
          <button type="submit" className="button quiet remove" value="remove">
            Remove
          </button>
        </form>
      </dialog>
    </>
  );
}
