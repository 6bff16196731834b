/** The status as stored; its colour is that of its cell, grey where it is none of the four. */
export function StatusBadge({ status }: { status: string }) {
  return <span className="badge">{status}</span>;
}
