import './icon.css';

const EYE = 'M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12ZM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z';

/** In a box of 24 × 24. */
const PATHS = {
  chevron: 'm6.5 9.5 5.5 5.5 5.5-5.5',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  close: 'm6 6 12 12M18 6 6 18',
  copy: 'M10.5 8.5h7a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2ZM15.5 8.5v-2a2 2 0 0 0-2-2h-7a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h2',
  down: 'M12 4.5v15M6 13.5l6 6 6-6',
  eye: EYE,
  crossedEye: `${EYE}M4 3l16 18`,
  message: 'M4.5 5.5h15v10.5h-8l-4 3.5v-3.5h-3Z',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  search: 'M16.5 10.5a6 6 0 1 1-12 0 6 6 0 0 1 12 0ZM15 15l5 5',
  up: 'M12 19.5v-15M6 10.5l6-6 6 6',
};

/** The icon of a field, of a message, or of a button that has an accessible label. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
