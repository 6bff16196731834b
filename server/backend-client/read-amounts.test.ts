import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Project } from './project.ts';
import { readUnreadAmounts } from './read-amounts.ts';

test('unread amounts are read in pages until none is left, with the currency of their name', async () => {
  const row = (
    number: number,
    text: string,
    price: string | null,
    minimum_currency: string | null = null,
  ) => ({
    offer_id: 'an id',
    number,
    text,
    price,
    minimum_currency,
  });
  const pages = [
    [row(1, '15k', '5 000 kr'), row(2, '500', null, 'EUR'), row(3, '$1', '€5')],
    [row(4, '500', 'ask me'), row(5, 'best offer', '$5'), row(6, '0', '$5'), row(7, 'kr 5', '$5')],
  ];
  const stored: unknown[] = [];
  const call = async (name: string, { amounts }: { amounts?: { price?: object }[] }) => {
    if (name === 'read_unread_amounts') return pages[0] ?? [];
    stored.push(...(amounts ?? []));
    pages.shift();
    return undefined;
  };
  await readUnreadAmounts({ call } as unknown as Project, { kr: 'SEK' });
  const of = (number: number, price?: object) => ({ offer_id: 'an id', number, price });
  assert.deepEqual(stored, [
    of(1, { amount: '15000', currency: 'SEK' }),
    of(2, { amount: '500', currency: 'EUR' }),
    of(3, { amount: '1', currency: 'USD' }),
    of(4),
    of(5),
    of(6, { amount: '0', currency: 'USD' }),
    of(7, { amount: '5', currency: 'SEK' }),
  ]);
});
