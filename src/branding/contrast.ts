/** Contrast by WCAG 2.2 (1.4.3) of all text on what it stands on. */
import { wcagContrast } from 'culori';
import { type Colour, coloursWith, type Scheme } from './design-tokens.ts';

const LEAST = 4.5;

/** Text by what it stands on, on all pages, the dashboard's included: names of tokens. */
const TEXTS = {
  page: ['ink', 'ink-soft', 'accent', 'accent-hover', 'danger', 'success'],
  surface: ['ink', 'ink-soft', 'accent', 'accent-hover', 'danger', 'success', 'warning'],
  sunken: ['ink', 'ink-soft', 'danger'],
  'accent-wash': ['ink', 'ink-soft', 'accent'],
  accent: ['on-accent'],
  'accent-hover': ['on-accent'],
  'danger-wash': ['danger', 'ink', 'ink-soft'],
  'success-wash': ['success', 'ink-soft'],
  'warning-wash': ['warning', 'ink', 'ink-soft', 'danger'],
};

/** A line for each pair of colours with too little contrast in the schemes that visitors can get. */
export function contrastWarnings(
  tokens: Readonly<Record<string, string>>,
  schemes: readonly Scheme[],
): string[] {
  const colours = coloursWith(tokens);
  return schemes.flatMap((scheme) => {
    const colourOf = (name: string) => (colours[name] as Colour)[scheme];
    const named = (name: string) => `--${name} (${colourOf(name)})`;
    return Object.entries(TEXTS).flatMap(([back, fronts]) =>
      fronts.flatMap((front) => {
        const ratio = wcagContrast(colourOf(front), colourOf(back));
        if (ratio >= LEAST) return [];
        // Rounded down, so that it never reads like enough.
        const shown = (Math.floor(ratio * 100) / 100).toFixed(2);
        return `${named(front)} on ${named(back)} has a contrast of ${shown} in ${scheme} colours: text needs ${LEAST}.`;
      }),
    );
  });
}
