import type { Offer } from '#contract/offer.ts';

/** Marks an offer below the minimum of its domain, also among held ones. */
export function LowMark({ offer: { low, held } }: { offer: Offer }) {
  if (!low) return null;
  return (
    <>
      {' '}
      <span className="low-mark">Low</span> {held && <span className="low-mark">Held</span>}
    </>
  );
}
