import { useMutation } from '@tanstack/react-query';
import { exportOffers } from '../stores/admin.ts';

/** Downloads what the filter shows. */
export function ExportButton() {
  const { mutate, isPending, isError } = useMutation(exportOffers);
  return (
    <>
      <button
        type="button"
        className="button quiet"
        aria-busy={isPending}
        onClick={() => isPending || mutate()}
      >
        {isPending ? 'Exporting...' : 'Export'}
      </button>
      {isError && (
        <p className="error" role="alert">
          Failed to export the offers. Please try again.
        </p>
      )}
    </>
  );
}
