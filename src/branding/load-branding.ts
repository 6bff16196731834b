import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Place } from '../catalogue/catalogue-file.ts';
import { describeProblems, type Problem, whyUnreadableFile } from '../catalogue/describe-problems.ts';
import { LANGUAGES, type Language } from '../i18n/languages.ts';
import type { OwnTexts } from '../i18n/own-texts.ts';
import { BrandingError, brandingFiles, ICON, THEME, textsFile } from './branding-files.ts';
import { readOwnTexts } from './own-texts.ts';
import { readTheme } from './theme.ts';

/** What the owner's files change. */
export interface Branding {
  /** Values of design tokens as `src/styles/tokens.css` would have them, by name without `--`. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly texts: Readonly<Partial<Record<Language, OwnTexts>>>;
  /** Absolute paths of pictures; the second logo is for dark pages. */
  readonly logo?: string;
  readonly darkLogo?: string;
  readonly icon?: string;
}

const PICTURES = [
  { name: /^logo\.(?:svg|png|webp)$/, field: 'logo' },
  { name: /^logo-dark\.(?:svg|png|webp)$/, field: 'darkLogo' },
  { name: new RegExp(`^${ICON.replace('.', '\\.')}$`), field: 'icon' },
] as const;
const NAMES = [THEME, 'logo.svg (or .png, .webp)', 'logo-dark.svg', ICON, ...LANGUAGES.map(textsFile)];

/**
 * Reads and checks the owner's files.
 * @throws {BrandingError} listing their problems
 */
export function loadBranding(place: Place = process): Branding {
  let branding: Branding = { tokens: {}, texts: {} };
  const lines: string[] = [];
  for (const file of brandingFiles(place)) {
    const { problems = [], ...part } = read(file);
    branding = { ...branding, ...part, texts: { ...branding.texts, ...part.texts } };
    lines.push(...describeProblems(file, problems, place.cwd()));
  }
  if (lines.length > 0) throw new BrandingError(lines);
  return branding;
}

function read(file: string): Partial<Branding> & { readonly problems?: readonly Problem[] } {
  const name = basename(file);
  const picture = PICTURES.find((one) => one.name.test(name));
  if (picture) return { [picture.field]: file };
  const language = LANGUAGES.find((code) => name === textsFile(code));
  if (name !== THEME && !language) {
    return { problems: [{ what: `is not used: rename it to one of ${NAMES.join(', ')}, or move it away` }] };
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
    if (!language) return readTheme(text);
    const { texts, problems } = readOwnTexts(text, language);
    return { problems, texts: { [language]: texts } };
  } catch (error) {
    return { problems: [{ what: whyUnreadableFile(error) }] };
  }
}
