const PATHS = {
  done: 'm3.5 8.5 3 3 6-7',
  opens: 'M6 3.5H3.5v9h9V10M9 3h4v4M13 3 7.5 8.5',
  lock: 'M3 7h10v6.5H3zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  warns: 'M8 2.5 14 13H2zM8 6.5v3M8 11.2v.1',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
};

/** A drawing that repeats what the words beside it say. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
