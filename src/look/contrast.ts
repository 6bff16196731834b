/** Contrast by WCAG 2.2 (1.4.3 and 1.4.11) of every pair of colours that pages put on each other. */
import type { Colour, Scheme } from './design-tokens.ts';

/** Least contrast of text, and of what must be seen to use a control. */
const TEXT = 4.5;
const CONTROL = 3;

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

/** Edges of fields, by what they stand on. Outlines of the focus are accent, which is checked as text. */
const CONTROLS = { page: ['line-strong'], surface: ['line-strong'] };

const PAIRS = [...pairs(TEXTS, TEXT), ...pairs(CONTROLS, CONTROL)];

/** The pairs with too little contrast in the schemes that visitors can get, with their colours as `#rrggbb`. */
export function failedPairs(colours: ReadonlyMap<string, Colour>, schemes: readonly Scheme[]) {
  return schemes.flatMap((scheme) =>
    PAIRS.flatMap((pair) => {
      const [front, back] = [colours.get(pair.front)?.[scheme], colours.get(pair.back)?.[scheme]];
      if (!front || !back) throw new Error(`src/styles/tokens.css lacks --${pair.front} or --${pair.back}.`);
      const ratio = contrastOf(front, back);
      return ratio >= pair.least ? [] : [{ ...pair, scheme, colours: { front, back }, ratio }];
    }),
  );
}

/** The contrast of two colours, `#rrggbb`: from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance, from 0 to 1. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function pairs(fronts: Record<string, string[]>, least: number) {
  return Object.entries(fronts).flatMap(([back, all]) => all.map((front) => ({ front, back, least })));
}
