import { createContext, useContext } from 'react';

/** Ids of offers whose confirmation the mail server rejected because of the customer's address. */
export const RejectedConfirmations = createContext<readonly string[]>([]);

export function RejectedMark({ id }: { id: string }) {
  if (!useContext(RejectedConfirmations).includes(id)) return null;
  return <span className="state-mark">Confirmation rejected: the address may be wrong</span>;
}
