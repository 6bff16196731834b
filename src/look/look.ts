/** The owner's look: the checked contents of `theme.css`, `logo.svg`, `favicon.ico` and the files of texts. */
import type { Language } from '../i18n/languages.ts';
import type { OwnTexts } from '../i18n/own-texts.ts';

export interface Look {
  /** Values of design tokens as `src/styles/tokens.css` would have them, by name without `--`. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly logo?: Logo;
  /** Bytes of `favicon.ico` in base64. */
  readonly icon?: string;
  readonly texts: Readonly<Partial<Record<Language, OwnTexts>>>;
}

/** A sanitised SVG picture. */
export interface Logo {
  readonly viewBox: string;
  /** Attributes of its `<svg>` that its parts inherit, as ` fill="none"`. */
  readonly presentation: string;
  /** The elements inside its `<svg>`. */
  readonly content: string;
  /** Width divided by height. */
  readonly ratio: number;
}

/** The look without any file of the owner. */
export const PLAIN_LOOK: Look = { tokens: {}, texts: {} };
