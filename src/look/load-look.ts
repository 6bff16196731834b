import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { describeMistakes, type Mistake } from '../catalogue/describe-mistakes.ts';
import type { Catalogue } from '../catalogue/schema.ts';
import { LANGUAGES } from '../i18n/languages.ts';
import { MAX_MISTAKES, readLogo } from './logo.ts';
import { type Look, PLAIN_LOOK } from './look.ts';
import { LookError } from './look-error.ts';
import { ICON, LOGO, lookFiles, THEME } from './look-files.ts';
import { readOwnTexts } from './own-texts.ts';
import { readOwnBytes, readOwnFile } from './read-own-file.ts';
import { schemesOf } from './shown-look.ts';
import { readTheme } from './theme.ts';

/** Copy of the look, checked by the build for the process that renders the pages; it is named by CHECKED_LOOK. */
export const CHECKED_LOOK = resolve('.astro/checked-look.json');

const KILOBYTE = 1024;
/** Limits of the files. */
const MAX_THEME_BYTES = 16 * KILOBYTE;
const MAX_LOGO_BYTES = 64 * KILOBYTE;
const MAX_ICON_BYTES = 64 * KILOBYTE;
const MAX_TEXTS_BYTES = 64 * KILOBYTE;

/** What a file adds to the look, and its mistakes. */
type Part = Partial<Look> & { readonly mistakes: readonly Mistake[] };

/**
 * Reads and checks the owner's look.
 * @throws {LookError} listing the mistakes in its files, or naming the folder where it cannot be read
 */
export function loadLook({ colorScheme }: Pick<Catalogue['settings'], 'colorScheme'>): Look {
  const { CHECKED_LOOK: checked } = process.env;
  if (checked) return JSON.parse(readFileSync(checked, 'utf8')) as Look;
  let look = PLAIN_LOOK;
  const lines: string[] = [];
  for (const file of lookFiles()) {
    const { mistakes, ...part } = readPart(file, colorScheme);
    look = { ...look, ...part, texts: { ...look.texts, ...part.texts } };
    lines.push(...describeMistakes(file, mistakes.slice(0, MAX_MISTAKES)));
  }
  if (lines.length > 0) throw new LookError(lines);
  return look;
}

function readPart(file: string, colorScheme: Catalogue['settings']['colorScheme']): Part {
  const name = basename(file);
  if (name === THEME) return readAs(file, MAX_THEME_BYTES, (text) => readTheme(text, schemesOf(colorScheme)));
  if (name === LOGO) return readAs(file, MAX_LOGO_BYTES, readLogo);
  if (name === ICON) return readIcon(file);
  const language = LANGUAGES.find((code) => name === `texts.${code}.yaml`);
  if (!language) return { mistakes: [{ what: `is not used: ${whyNotUsed(name)}` }] };
  return readAs(file, MAX_TEXTS_BYTES, (text) => {
    const { texts, mistakes } = readOwnTexts(text, language);
    return { mistakes, ...(Object.keys(texts).length > 0 && { texts: { [language]: texts } }) };
  });
}

function readIcon(file: string): Part {
  const read = readOwnBytes(file, MAX_ICON_BYTES);
  if (!read) return { mistakes: [] };
  return 'bytes' in read ? { mistakes: [], icon: read.bytes.toString('base64') } : { mistakes: [read] };
}

function readAs(file: string, maxBytes: number, parse: (text: string) => Part): Part {
  const read = readOwnFile(file, maxBytes);
  // Removed in this moment.
  if (!read) return { mistakes: [] };
  return 'text' in read ? parse(read.text) : { mistakes: [read] };
}

function whyNotUsed(name: string): string {
  if (/^theme/i.test(name)) return `the colours and sizes are read from ${THEME}; rename it, or move it away`;
  if (/^logo/i.test(name)) return `the logo is read from ${LOGO}; save it as SVG, or move it away`;
  if (/^favicon/i.test(name)) return `the icon is read from ${ICON}; save it as ICO, or move it away`;
  const names = LANGUAGES.map((language) => `texts.${language}.yaml`).join(' and ');
  return `texts are read from ${names}; rename it, or move it away`;
}
