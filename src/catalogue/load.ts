import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { originOf } from '#contract/checkout.ts';
import type { Currencies } from '#contract/currency-signs.ts';
import { BUILD_FOLDER, catalogueFile } from './catalogue-file.ts';
import { withDefaults } from './defaults.ts';
import { describeProblems, type Problem, whyUnreadableFile } from './describe-problems.ts';
import type { LocalizedText } from './description.ts';
import { namesIn, offsetOf, placeOf } from './position-in-file.ts';
import {
  type Catalogue,
  CatalogueSchema,
  type DomainEntry,
  isMinimum,
  WRITE_BROKER_URL,
  WRITE_MINIMUM,
} from './schema.ts';
import { UNLIMITED_ALIASES, whyUnreadable } from './unreadable.ts';

export type { Catalogue } from './schema.ts';

/** Copy of the catalogue, validated by the build for the process that renders the pages. */
export const CHECKED_CATALOGUE = join(BUILD_FOLDER, '.astro/checked-catalogue.json');

/**
 * Reads and checks the catalogue.
 * @param cwd the clone's folder, for error messages
 * @throws {CatalogueError} listing every problem in it, or why it cannot be read
 */
export function loadCatalogue(file: string = catalogueFile(), cwd?: string): Catalogue {
  return loadWithData(file, cwd).catalogue;
}

/** A catalogue, and what its file has: data without defaults, as its parser returns it. */
interface Loaded {
  readonly text: string;
  readonly data: CatalogueData;
  readonly catalogue: Catalogue;
}

/** Of a catalogue without problems. */
export interface CatalogueData {
  readonly domains: readonly Partial<DomainEntry>[];
}

/** As `loadCatalogue`, with the file's own data. */
export function loadWithData(file: string, cwd?: string): Loaded {
  return parse(file, read(file, cwd), cwd);
}

/** What is wrong with the catalogue, for the person who edits it: one problem a line, with file and line. */
export class CatalogueError extends Error {
  override name = 'CatalogueError';

  constructor(file: string, problems: readonly Problem[], cwd?: string) {
    super(['Please correct the catalogue:', ...describeProblems(file, problems, cwd)].join('\n'));
  }
}

/**
 * Checks the text of a catalogue. Each entry gets what `defaults` has for it.
 * @param file for error messages
 * @param cwd the clone's folder, for error messages
 * @throws {CatalogueError} listing every problem in it
 */
export function parseCatalogue(file: string, text: string, cwd?: string): Catalogue {
  return parse(file, text, cwd).catalogue;
}

/** Cached: a build loads the same text several times, and a text that was edited is loaded after it was checked. */
function parse(file: string, text: string, cwd?: string): Loaded {
  const isChecked = file === CHECKED_CATALOGUE;
  if (last?.text !== text || last.isChecked !== isChecked)
    last = { text, isChecked, ...parseText(file, text, cwd) };
  return last;
}
let last: (Loaded & { readonly isChecked: boolean }) | undefined;

function parseText(file: string, text: string, cwd?: string): Omit<Loaded, 'text'> {
  // The build's own copy has been checked. Other JSON is parsed as the YAML that it is.
  if (file === CHECKED_CATALOGUE) {
    const catalogue = JSON.parse(text) as Catalogue;
    return { data: catalogue, catalogue };
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const unreadable = whyUnreadable(document, lines, text);
  if (unreadable.length > 0) throw new CatalogueError(file, unreadable, cwd);
  const data: unknown = document.toJS(UNLIMITED_ALIASES);
  if (data === null) {
    throw new CatalogueError(file, [{ what: 'is empty: write the section domains' }], cwd);
  }
  const { catalogue, issues } = checkData(data);
  if (catalogue) return { data: data as CatalogueData, catalogue };
  throw new CatalogueError(
    file,
    issues.map(({ path, message }) => ({
      what: `${placeOf(path, data)} ${message}`,
      at: lines.linePos(offsetOf(document, path)),
    })),
    cwd,
  );
}

export interface Issue {
  path: PropertyKey[];
  message: string;
}

/** Checks data as a file has it. @returns the catalogue if it has no issues */
export function checkData(data: unknown): { catalogue: Catalogue | undefined; issues: Issue[] } {
  const filled = withDefaults(data);
  const { data: catalogue, error } = CatalogueSchema.safeParse(filled);
  const issues = [
    ...(error?.issues ?? []).flatMap(byKey),
    ...duplicates(data),
    ...ownHosts(data),
    ...missingBrokerUrl(filled),
    ...unreadableMinimums(data),
    ...withoutAmount(filled),
    ...(catalogue ? untranslated(data, catalogue) : []),
  ];
  return { catalogue: issues.length === 0 ? catalogue : undefined, issues };
}

function read(file: string, cwd: string | undefined): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const why: Record<string, string> = {
      ENOENT:
        'is not there: create it (npm run catalogue -- init), or correct the setting CATALOGUE or OWN_DIR',
      EISDIR: 'is a folder: name a file with the setting CATALOGUE',
    };
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new CatalogueError(file, [{ what: why[code] ?? whyUnreadableFile(error) }], cwd);
  }
}

/** One issue for each unknown key, at that key, instead of one for all of them at their entry. */
function byKey({ path, message, keys }: Issue & { keys?: string[] }): Issue[] {
  return keys ? keys.map((key) => ({ path: [...path, key], message })) : [{ path, message }];
}

function duplicates(data: unknown): Issue[] {
  const names = namesIn(data);
  // Reversed, so that of equal names the first index is kept.
  const first = new Map(names.map((name, index) => [name, index] as const).reverse());
  return names.flatMap((name, index) => {
    const earlier = first.get(name) ?? index;
    if (name === undefined || earlier === index) return [];
    const message = `is the same as entry ${earlier + 1}’s: remove one of them`;
    return { path: ['domains', index, 'name'], message };
  });
}

/** Names of the site itself that are also for sale: there the domain's own page is shown. */
function ownHosts(data: unknown): Issue[] {
  const { settings } = data as { settings?: { hosts?: unknown } };
  if (!Array.isArray(settings?.hosts)) return [];
  const entries = new Map(namesIn(data).map((name, index) => [name, index + 1]));
  return settings.hosts.flatMap((host: unknown, index) => {
    const entry = typeof host === 'string' && entries.get(host.replace(/^www\./, ''));
    return entry
      ? { path: ['settings', 'hosts', index], message: `is a domain of entry ${entry}: remove it` }
      : [];
  });
}

/** A minimum that is no amount by the signs of the settings. */
function unreadableMinimums(data: unknown): Issue[] {
  const { settings, defaults, domains } = data as Record<string, unknown> & {
    settings?: { currencies?: unknown };
  };
  const currencies = settings?.currencies as Currencies | undefined;
  const issueAt = (entry: { minimum?: unknown } | null | undefined, ...path: PropertyKey[]) => {
    const minimum = entry?.minimum;
    return typeof minimum !== 'string' || isMinimum(minimum, currencies)
      ? []
      : [{ path: [...path, 'minimum'], message: `"${minimum}" is not a minimum: ${WRITE_MINIMUM}` }];
  };
  const entries = Array.isArray(domains) ? domains : [];
  return [
    ...issueAt(defaults as object | null, 'defaults'),
    ...entries.flatMap((entry, index) => issueAt(entry, 'domains', index)),
  ];
}

/** Links of entries that name an amount, while their price is none. */
function withoutAmount(data: unknown): Issue[] {
  const { domains } = data as { domains?: unknown };
  if (!Array.isArray(domains)) return [];
  return domains.flatMap((entry, index) => {
    const [placeholder] =
      /\{(?:amount|minor|currency|currency_lower)\}/.exec(String(entry?.buyNow ?? '')) ?? [];
    if (!placeholder || /[{}]/.test(originOf(entry.buyNow))) return [];
    const message = `has ${placeholder}, and the price is not one amount with its currency: write the price, such as "$15,000", or remove ${placeholder}`;
    return [{ path: ['domains', index, 'buyNow'], message }];
  });
}

/** An entry that links to the broker while no setting says where. */
function missingBrokerUrl(data: unknown): Issue[] {
  const { settings, domains } = data as { settings?: Catalogue['settings'] | null; domains?: unknown };
  if (settings?.brokerUrl !== undefined || !Array.isArray(domains)) return [];
  const index = domains.findIndex((entry) => entry?.hasBroker === true);
  if (index < 0) return [];
  const message = `is missing, and ${placeOf(['domains', index], data)} has hasBroker: true: ${WRITE_BROKER_URL}`;
  return [{ path: ['settings', 'brokerUrl'], message }];
}

/** Texts by language that lack the one that pages in other languages fall back to. */
function untranslated(data: unknown, { settings }: Catalogue): Issue[] {
  const [first = ''] = settings.languages;
  const { domains, defaults } = data as { domains: Entry[]; defaults?: Entry };
  const message = `has no text in ${first}, the first of the site’s languages: write one`;
  const issueAt = (text: LocalizedText | undefined, ...path: PropertyKey[]) =>
    typeof text === 'object' && !(first in text) ? [{ path, message }] : [];
  return [
    ...issueAt(settings.emailUse, 'settings', 'emailUse'),
    ...issueAt(settings.closing, 'settings', 'closing'),
    ...issueAt(settings.afterPayment, 'settings', 'afterPayment'),
    ...issueAt(settings.escrow?.text, 'settings', 'escrow', 'text'),
    ...(settings.links ?? []).flatMap(({ text }, index) => issueAt(text, 'settings', 'links', index, 'text')),
    ...issueAt(defaults?.description, 'defaults', 'description'),
    ...domains.flatMap(({ description }, index) => issueAt(description, 'domains', index, 'description')),
  ];
}

/** As the file has it, without defaults. */
type Entry = Partial<Pick<Catalogue['domains'][number], 'description'>>;
