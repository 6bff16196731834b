/**
 * Reads which names of a CSV file are not for sale, from the columns and words of registrars, marketplaces and people's own
 * lists in English and German.
 */
import { isNoAmount } from './read-amount.ts';

/**
 * What a word says of a name. `active`: it can be for sale. `neutral`: nothing, as with a lock. `gone`: hidden, or going or gone at
 * the registrar.
 */
export type SaleState = 'for sale' | 'active' | 'neutral' | 'reserved' | 'sold' | 'gone';

/** Where a text has several. */
const WORST_FIRST = ['gone', 'sold', 'reserved', 'for sale', 'active', 'neutral'] as const;

/** What a column has: words of a status, or yes or no, or anything at all (a date, a buyer) in rows to which it applies. */
type Content =
  | { readonly has: 'words' }
  | { readonly has: 'yes or no' | 'anything'; readonly yes: SaleState };

export interface StateColumn {
  readonly index: number;
  readonly content: Content;
}

/** Begins the names of columns with yes or no, such as `Is Hidden`. */
const IS = '(?:is|ist|domain|name|listing)?';

/** Names of columns as regular expressions, in lower case, letters alone. The first that matches decides. */
const COLUMNS = (
  [
    // Whether a registrar renews, locks or checks a name says nothing of its sale.
    [
      '.*(?:renew|verlänger|privacy|datenschutz|lock|sperre|dns|nameserver|ssl|certificate|zertifikat|whois|verif|forward|weiterleit|mail|hosting).*',
      undefined,
    ],
    [
      `${IS}(?:forsale(?:page|lander)?|onsale|listed|visible|active|enabled|published|public|available|live|online|show|display|sell|tosell|selling|sellable)`,
      { has: 'yes or no', yes: 'for sale' },
    ],
    [
      `${IS}(?:zuverkaufen|zumverkauf|verkäuflich|angeboten|gelistet|sichtbar|aktiv|aktiviert|öffentlich|veröffentlicht|verfügbar|anzeigen|verkaufen|verkaufbar)`,
      { has: 'yes or no', yes: 'for sale' },
    ],
    [
      `${IS}(?:hidden|hide|notforsale|unlisted|delisted|private|paused|disabled|inactive|archived|deleted|removed|expired|cancell?ed|suspended|transferred|keep|nfs)`,
      { has: 'yes or no', yes: 'gone' },
    ],
    [
      `${IS}(?:versteckt|verborgen|ausgeblendet|ausblenden|unverkäuflich|nichtzuverkaufen|nichtzumverkauf|privat|pausiert|deaktiviert|inaktiv|archiviert|gelöscht|entfernt|abgelaufen|gekündigt|gesperrt|übertragen|behalten)`,
      { has: 'yes or no', yes: 'gone' },
    ],
    [`${IS}(?:sold|verkauft)`, { has: 'yes or no', yes: 'sold' }],
    [`${IS}(?:reserved|onhold|reserviert|vorgemerkt)`, { has: 'yes or no', yes: 'reserved' }],
    [
      'sold(?:date|on|at|to|for|price)|datesold|buyer|verkauft(?:am|an|für)|verkaufsdatum|käufer',
      { has: 'anything', yes: 'sold' },
    ],
    ['reserved(?:for|until|on)|reserviert(?:für|bis|am)', { has: 'anything', yes: 'reserved' }],
    [
      '(?:deleted|removed|archived|hidden|paused|delisted|cancell?ed)(?:date|on|at)|(?:gelöscht|entfernt|archiviert|gekündigt)am',
      { has: 'anything', yes: 'gone' },
    ],
    [
      '.*(?:status|zustand|visibility|availability|sichtbarkeit|verfügbarkeit).*|(?:sales?|listing|market)state|action(?:type)?|(?:selling|sales?)option|verkaufsoption',
      { has: 'words' },
    ],
    // What else seems to be a state: a yes there could mean either, and causes a warning.
    [
      '.*(?:hidden|hide|forsale|onsale|sold|visible|versteckt|ausgeblendet|verkauft|zuverkaufen|sichtbar).*|sale|verkauf',
      { has: 'words' },
    ],
  ] satisfies [string, Content | undefined][]
).map(([names, content]) => ({ names: new RegExp(`^(?:${foldUmlauts(names)})$`), content }));

/** Words as regular expressions, in lower case with one space between. The longest that matches decides. */
const WORDS: { readonly [State in SaleState]: readonly string[] } = {
  'for sale': [
    ...['for sale', 'on sale', 'listed', 'unsold', 'buy (?:it )?now', 'make (?:an )?offer', 'fixed price'],
    ...['zu verkaufen', 'zum verkauf', 'verkäuflich', 'gelistet', 'unverkauft', 'angeboten', 'festpreis'],
  ],
  active: [
    ...[
      'active',
      'available',
      'visible',
      'public',
      'published',
      'live',
      'online',
      'on',
      'enabled',
      'approved',
    ],
    ...[
      'registered',
      'owned',
      'aktiv',
      'aktiviert',
      'verfügbar',
      'sichtbar',
      'öffentlich',
      'veröffentlicht',
      'ein',
    ],
    ...['freigegeben', 'registriert'],
  ],
  neutral: [
    ...[
      'ok',
      'okay',
      'normal',
      'locked',
      'unlocked',
      'parked',
      'verified',
      'checked out',
      'withheld(?: privacy)?',
    ],
    ...[
      '(?:client|server) (?:delete|renew|transfer|update) prohibited',
      'transfer (?:lock(?:ed)?|prohibited)',
    ],
    ...['(?:add|renew|auto renew|transfer) period', 'transferred in', 'expir(?:ing|es)', 'disputes?'],
    // Of a name that stays its owner's.
    ...[
      '(?:pending|awaiting) (?:auto )?(?:renewal|renew|update)',
      '(?:auto )?(?:renewal|renew|update) pending',
    ],
    ...['verlängerung (?:ausstehend|steht aus|offen)', '(?:ausstehende|offene|wartet auf) verlängerung'],
    ...['geparkt', 'bestätigt', 'läuft (?:bald )?ab', 'konnektiert'],
  ],
  reserved: [
    ...['reserved', 'under (?:offer|contract|negotiation)', '(?:in )?negotiations?', 'negotiating'],
    ...['offer accepted', 'sale agreed', 'sale pending', 'pending sale', '(?:in )?escrow'],
    ...[
      'reserviert',
      'vorgemerkt',
      '(?:in )?verhandlung(?:en)?',
      'angebot angenommen',
      '(?:beim )?treuhänder',
    ],
  ],
  sold: [
    ...['sold', 'leased', 'rented', 'bought', 'purchased', 'verkauft', 'vergeben', 'vermietet', 'abgegeben'],
  ],
  gone: [
    ...[
      'hidden',
      'private',
      'unlisted',
      'delisted',
      'removed',
      'paused',
      'disabled',
      'off',
      'offline',
      'draft',
    ],
    ...[
      'rejected',
      'declined',
      'denied',
      'withdrawn',
      'closed',
      'ended',
      'archived',
      'unpublished',
      'invisible',
    ],
    ...[
      'unavailable',
      'unregistered',
      'inactive',
      'deactivated',
      'blocked',
      'banned',
      'in use',
      'keep',
      'nfs',
      'personal',
    ],
    ...[
      'await\\w*',
      'pending',
      'processing',
      '(?:in|under) review',
      'cancel\\w*',
      'confiscat\\w*',
      'delet\\w*',
    ],
    ...[
      'in dispute',
      'disputed',
      'dispute (?:open|pending)',
      'expired',
      'expiration',
      'grace',
      'held',
      'hold',
    ],
    ...['redeem\\w*', 'redempt\\w*', 'repossess\\w*', 'suspend\\w*', 'transferr\\w*', 'away', 'transfer out'],
    ...[
      'in transfer',
      'transfer in progress',
      'dropped',
      'lost',
      'failed',
      'auctions?',
      'reverted',
      'excluded',
    ],
    ...[
      'exported',
      'versteckt',
      'verborgen',
      'ausgeblendet',
      'privat',
      'entfernt',
      'pausiert',
      'deaktiviert',
      'aus',
    ],
    ...[
      'entwurf',
      'abgelehnt',
      'zurückgezogen',
      'geschlossen',
      'beendet',
      'archiviert',
      'unsichtbar',
      'inaktiv',
    ],
    ...['unverkäuflich', 'wird nicht verkauft', 'nicht verkaufen', 'gesperrt', 'in benutzung', 'eigenbedarf'],
    ...['behalten', 'ausstehend', 'in bearbeitung', '(?:in )?prüfung', 'wartet', 'gekündigt', 'kündigung'],
    ...['storniert', 'gelöscht', 'löschung', 'streit\\w*', 'abgelaufen', 'karenz\\w*', 'übertragen'],
    ...['in übertragung', 'transfer läuft', 'verloren', 'auktion', 'versteigerung', 'fehlgeschlagen'],
  ],
};

/** Turns the word after it into its contrary. */
const NOT = '(?:not|no|non|un|never|nicht|kein|keine|nie)(?: (?:longer|yet|currently|mehr|noch|derzeit))?';

const PHRASES = Object.entries(WORDS)
  .flatMap(([state, phrases]) => phrases.map((phrase) => ({ state: state as SaleState, phrase })))
  .toSorted((a, b) => b.phrase.length - a.phrase.length)
  .map(({ state, phrase }) => ({
    state,
    pattern: new RegExp(`(?<!\\p{L})(${NOT} )?(?:${foldUmlauts(phrase)})(?!\\p{L})`, 'gu'),
  }));

/** The texts read before: a column has few, in many rows. */
const read = new Map<string, SaleState | undefined>();
/** Of the texts read before. The product reads pasted lists for as long as it runs. */
const MAX_READ = 500;

/** Words beside a state that add nothing to it. */
const FILLERS = /(?<!\p{L})(?:and|the|is|at|by|soon|domain|name|und|die|ist|bei|am|bald)(?!\p{L})/gu;

const YES = 'y yes true 1 on x ✓ ✔ ☑ active enabled checked j ja wahr ein an aktiv aktiviert'.split(' ');
const NO =
  'n no false 0 off - – — ✗ ✘ ☐ none never null inactive disabled nein falsch aus kein keine inaktiv deaktiviert'.split(
    ' ',
  );

/** A zero, such as `0.00` or the date `0000-00-00`. */
const ZERO = /^[0\s\p{P}\p{Sc}]+$/u;

/** The columns that say whether a name is for sale. @param used indexes of columns that are imported as fields */
export function stateColumns(columns: readonly string[], used: readonly number[]): readonly StateColumn[] {
  return columns.flatMap((column, index) => {
    const name = foldUmlauts(column).replace(/\P{L}/gu, '');
    const content = COLUMNS.find(({ names }) => names.test(name))?.content;
    return content && !used.includes(index) ? { index, content } : [];
  });
}

/** The state that a cell of such a column has. Undefined: it cannot be read. */
export function readState(cell: string, content: Content): SaleState | undefined {
  if (content.has === 'words') return readWords(cell);
  const isNothing = ZERO.test(cell) || (content.has === 'anything' && isNoAmount(cell));
  const answer = readYesOrNo(cell) ?? (isNothing ? false : undefined);
  if (answer === false) return contrary(content.yes);
  // A date or an amount is a yes.
  if (answer || content.has === 'anything' || /\d/.test(cell)) return content.yes;
  return readWords(cell);
}

/** The state in words such as `pendingDelete` or `nicht verkauft`. Undefined: they cannot be read. */
export function readWords(text: string): SaleState | undefined {
  if (!read.has(text)) {
    if (read.size >= MAX_READ) read.clear();
    read.set(text, findWords(text));
  }
  return read.get(text);
}

function findWords(text: string): SaleState | undefined {
  let rest = foldUmlauts(text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '))
    .replace(/\P{L}+/gu, ' ')
    .trim();
  const found = new Set<SaleState>();
  for (const { state, pattern } of PHRASES) {
    rest = rest.replace(pattern, (_match, negation?: string) => {
      found.add(negation ? contrary(state) : state);
      return ' ';
    });
  }
  const worst = WORST_FIRST.find((state) => found.has(state));
  const takesOffers = worst !== 'gone' && worst !== 'sold' && worst !== 'reserved';
  // What else is written could say the contrary.
  return takesOffers && rest.replace(FILLERS, '').trim() !== '' ? undefined : worst;
}

export function readYesOrNo(cell: string): boolean | undefined {
  const word = cell.toLowerCase();
  if (YES.includes(word)) return true;
  return NO.includes(word) ? false : undefined;
}

function contrary(state: SaleState): SaleState {
  return state === 'for sale' || state === 'active' ? 'gone' : 'neutral';
}

/** In lower case, with `ä` as `ae`: many lists have no umlauts. */
export function foldUmlauts(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss');
}
