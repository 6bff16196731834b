import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heapUsed } from '../../tests/support/heap-used.ts';
import { readState, readWords, type SaleState, stateColumns } from './sale-state.ts';

test('columns that say whether a name is for sale are found, and not those of renewal, locks or privacy', () => {
  for (const [head, found] of [
    ['Domain Name,TLD,Create Date,Status,Renewal Price,Estimated Value,ListingStatus', [3, 6]],
    ['Domain Name,Domain privacy protection status,Domain status at NC,Domain auto-renew status', [2]],
    ['Domain,Renewal Status,Punycode,Lock Status,DNSSEC Status,List Price', []],
    ['Domain,Sale Lander,Show Buy Now Option,Listing Status,Hidden,Views', [3, 4]],
    ['Domain,For Sale Page,is_for_sale,forSale,FOR-SALE', [1, 2, 3, 4]],
    ['Domäne;Verkaufsstatus;Zu verkaufen?;Öffentlich;Geloescht;GELÖSCHT;Käufer', [1, 2, 3, 4, 5, 6]],
    ['Domain;Verkaufen;verkaufbar;Behalten;Keep;NFS;Sell?;Sale;Verkauf', [1, 2, 3, 4, 5, 6, 7, 8]],
    ['Domain,Sold,Sold Date,Reserved for,Lease to Own,Expiration Date,Sort', [1, 2, 3]],
  ] as const) {
    const columns = head.split(/[,;]/);
    assert.deepEqual(
      stateColumns(columns, []).map(({ index }) => index),
      found,
      head,
    );
  }
  assert.deepEqual(stateColumns(['name', 'Status'], [0, 1]), [], 'imported as a field');
});

test('words of a status are read, in English and German', () => {
  const words: { readonly [State in SaleState | 'unreadable']: string } = {
    'for sale': 'Listed|For Sale|Unsold|BUY_NOW|MAKE_OFFER|zum Verkauf|zu verkaufen|unverkauft',
    active: 'Active|Registered|Online|aktiv|verfügbar|verfuegbar|Veröffentlicht',
    neutral:
      'ok|Locked|Not sold|nicht verkauft|clientTransferProhibited clientDeleteProhibited|No dispute|Withheld privacy|pending renewal|Renewal Pending|pendingUpdate|Verlängerung ausstehend|not expired|nicht versteckt|expires soon|bestätigt|läuft bald ab',
    reserved: 'Reserved|Under offer|In escrow|Sale pending|reserviert|in Verhandlung',
    sold: 'Sold|SOLD!|Active - sold|verkauft|Vermietet|Verkauft an Anna',
    gone: 'Hidden|Removed|Paused|Off|Not listed|Not for sale|No longer for sale|Unlisted|inactive|not active|Expired|PARKED_EXPIRED|Expired - redemption|pendingDelete|serverHold|Pending Transfer|Transferred Away|CANCELLED|Grace period|Held|Deleted|Disputed|versteckt|nicht zu verkaufen|Nicht mehr zum Verkauf|wird nicht verkauft|gelöscht|geloescht|gekündigt|abgelaufen|inaktiv|pausiert|Aus|Withdrawn|archived|In transfer|lost|Auction|verloren|Versteigerung',
    unreadable: 'Premium|Tier 2|Active until Anna pays|1|vermutlich|販売中',
  };
  for (const [state, list] of Object.entries(words)) {
    for (const word of list.split('|')) assert.equal(readWords(word) ?? 'unreadable', state, word);
  }
});

test('a yes or no is read as its column means it', () => {
  const names = ['Hidden', 'For Sale', 'Verkauft', 'Sold date', 'Hidden on the market'];
  const [hidden, forSale, sold, soldDate, market] = stateColumns(names, []);
  for (const [column, cell, state] of [
    [hidden, 'Y', 'gone'],
    [hidden, 'ja', 'gone'],
    [hidden, 'No', 'neutral'],
    [hidden, 'hidden', 'gone'],
    [hidden, 'perhaps', undefined],
    [forSale, 'TRUE', 'for sale'],
    [forSale, 'N', 'gone'],
    [forSale, 'Off', 'gone'],
    [forSale, '0', 'gone'],
    [forSale, 'verkauft', 'sold'],
    [forSale, 'not yet', undefined],
    [forSale, 'n/a', undefined],
    [sold, 'x', 'sold'],
    [sold, '2025-05-01', 'sold'],
    [sold, 'nein', 'neutral'],
    [sold, '$0.00', 'neutral'],
    [soldDate, '01.05.2025', 'sold'],
    [soldDate, 'n/a', 'neutral'],
    [soldDate, 'keiner', 'neutral'],
    [soldDate, '0000-00-00', 'neutral'],
    [soldDate, 'May', 'sold'],
    [market, 'Y', undefined],
    [market, 'sold', 'sold'],
  ] as const) {
    assert.ok(column);
    assert.equal(readState(cell, column.content), state, cell);
  }
});

test('columns of both languages mean the same, with a yes or no, a date or words', () => {
  for (const [column, cell, state] of [
    ['Is visible', 'yes', 'for sale'],
    ['Sichtbar', 'ja', 'for sale'],
    ['Sichtbar', 'nein', 'gone'],
    ['Gelöscht', 'ja', 'gone'],
    ['Gelöscht', 'nein', 'neutral'],
    ['Reserved', 'yes', 'reserved'],
    ['Reserviert', 'ja', 'reserved'],
    ['Reserviert', 'nein', 'neutral'],
    ['Reserved until', '2027-01-01', 'reserved'],
    ['Reserviert bis', 'Anna entscheidet', 'reserved'],
    ['Deleted at', '2027-01-01', 'gone'],
    ['Gekündigt am', '01.02.2027', 'gone'],
    ['Verkauft an', 'Anna', 'sold'],
    ['Zustand', 'verkauft', 'sold'],
    ['Zustand', 'freigegeben', 'active'],
    ['Zustand', 'registriert', 'active'],
    ['Zustand', 'geparkt', 'neutral'],
  ] as const) {
    const [found] = stateColumns([column], []);
    assert.ok(found, column);
    assert.equal(readState(cell, found.content), state, `${column}: ${cell}`);
  }
});

test('texts that were read are not kept for ever', () => {
  const before = heapUsed();
  for (let count = 0; count < 1_400; count += 1) readWords(`sold ${'q'.repeat(2_000)} ${count}`);
  const kept = heapUsed() - before;
  assert.ok(kept < 2 * 2 ** 20, `${kept} bytes are kept`);
});
