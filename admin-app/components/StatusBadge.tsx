/** The status as stored; its colour comes from the style sheet, grey where it is none of the four. */
export function StatusBadge({ status }: { status: string }) {
  return (
    <span className="badge" data-status={status}>
      {status}
    </span>
  );
}
