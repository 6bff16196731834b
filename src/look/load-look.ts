import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { describeMistakes, type Mistake } from '../catalogue/describe-mistakes.ts';
import type { Catalogue } from '../catalogue/schema.ts';
import { LANGUAGES, type Language } from '../i18n/languages.ts';
import type { OwnTexts } from '../i18n/own-texts.ts';
import type { Scheme } from './design-tokens.ts';
import { MAX_MISTAKES, readLogo } from './logo.ts';
import type { Logo, Look } from './look.ts';
import { LookError } from './look-error.ts';
import { LOGO, languageOfTexts, lookFiles, THEME } from './look-files.ts';
import { readOwnTexts } from './own-texts.ts';
import { readOwnFile } from './read-own-file.ts';
import { schemesOf } from './shown-look.ts';
import { readTheme } from './theme.ts';

/** Copy of the look, checked by the build for the process that renders the pages; it is named by CHECKED_LOOK. */
export const CHECKED_LOOK = resolve('.astro/checked-look.json');

const KILOBYTE = 1024;
/** Limits of the files. */
const MAX_THEME_BYTES = 16 * KILOBYTE;
const MAX_LOGO_BYTES = 64 * KILOBYTE;
const MAX_TEXTS_BYTES = 64 * KILOBYTE;

/**
 * Reads and checks the owner's look.
 * @throws {LookError} listing the mistakes in its files, or naming the folder where it cannot be read
 */
export function loadLook({ colorScheme }: Pick<Catalogue['settings'], 'colorScheme'>): Look {
  const { CHECKED_LOOK: checked } = process.env;
  if (checked) return JSON.parse(readFileSync(checked, 'utf8')) as Look;
  const reader = new LookReader(schemesOf(colorScheme));
  for (const file of lookFiles()) reader.read(file);
  if (reader.lines.length > 0) throw new LookError(reader.lines);
  return reader.look();
}

class LookReader {
  /** One for each mistake. */
  readonly lines: string[] = [];
  readonly #schemes: readonly Scheme[];
  #tokens: Look['tokens'] = {};
  #logo: Logo | undefined;
  readonly #texts: Partial<Record<Language, OwnTexts>> = {};

  constructor(schemes: readonly Scheme[]) {
    this.#schemes = schemes;
  }

  read(file: string): void {
    const mistakes = this.#readFile(file);
    this.lines.push(...describeMistakes(file, mistakes.slice(0, MAX_MISTAKES)));
  }

  look(): Look {
    return { tokens: this.#tokens, texts: this.#texts, ...(this.#logo && { logo: this.#logo }) };
  }

  #readFile(file: string): readonly Mistake[] {
    const name = basename(file);
    const language = languageOfTexts(name);
    if (name === THEME) return this.#readAs(file, MAX_THEME_BYTES, (text) => this.#readTheme(text));
    if (name === LOGO) return this.#readAs(file, MAX_LOGO_BYTES, (text) => this.#readLogo(text));
    if (language !== undefined && isLanguage(language))
      return this.#readAs(file, MAX_TEXTS_BYTES, (text) => this.#readTexts(text, language));
    return [{ what: `is not used: ${whyNotUsed(name)}` }];
  }

  #readAs(file: string, maxBytes: number, parse: (text: string) => readonly Mistake[]): readonly Mistake[] {
    const read = readOwnFile(file, maxBytes);
    // Removed in this moment.
    if (!read) return [];
    return 'text' in read ? parse(read.text) : [read.mistake];
  }

  #readTheme(text: string): readonly Mistake[] {
    const { tokens, mistakes } = readTheme(text, this.#schemes);
    this.#tokens = tokens;
    return mistakes;
  }

  #readLogo(text: string): readonly Mistake[] {
    const read = readLogo(text);
    if ('mistakes' in read) return read.mistakes;
    this.#logo = read.logo;
    return [];
  }

  #readTexts(text: string, language: Language): readonly Mistake[] {
    const { texts, mistakes } = readOwnTexts(text, language);
    if (Object.keys(texts).length > 0) this.#texts[language] = texts;
    return mistakes;
  }
}

function isLanguage(code: string): code is Language {
  return (LANGUAGES as string[]).includes(code);
}

function whyNotUsed(name: string): string {
  if (/^theme/i.test(name)) return `the colours and sizes are read from ${THEME}; rename it, or move it away`;
  if (/^logo/i.test(name)) return `the logo is read from ${LOGO}; save it as SVG, or move it away`;
  const names = LANGUAGES.map((language) => `texts.${language}.yaml`).join(' and ');
  return `texts are read from ${names}; rename it, or move it away`;
}
