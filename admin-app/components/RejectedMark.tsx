import { useStore } from '@nanostores/react';
import { $rejectedConfirmations } from '../stores/admin.ts';

/** Marks an offer whose confirmation the mail server rejected because of the customer's address. */
export function RejectedMark({ id }: { id: string }) {
  if (!useStore($rejectedConfirmations).has(id)) return null;
  return <span className="state-mark">Confirmation rejected: the address may be wrong</span>;
}
