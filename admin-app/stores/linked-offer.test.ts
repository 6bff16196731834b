import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import type { Offer } from '#contract/offer.ts';
import { dashboardOf, idOf, offerOf, settled } from './dashboard.fixture.ts';
import { createLinkedOffer } from './linked-offer.ts';

beforeEach(() => {
  mock.restoreAll();
  mock.method(console, 'error', () => {});
});

const linkTo = (n: number) => `#offer=${idOf(n)}`;

async function linksOf(total: number, heldTotal = 0) {
  const dashboard = dashboardOf(total, heldTotal);
  const links = createLinkedOffer(dashboard.api, dashboard, dashboard.cache);
  await dashboard.open();
  return { ...dashboard, ...links };
}

for (const [n, total] of [
  [2, 3],
  [100, 2_500],
  [54_321, 100_000],
  [99_999, 100_000],
] as const) {
  test(`finds offer ${n} of ${total} on its page`, async () => {
    const { $linked, openLink } = await linksOf(total);
    const opening = openLink(linkTo(n));
    assert.deepEqual($linked.get(), { status: 'searching', id: idOf(n) });
    await opening;
    assert.deepEqual($linked.get(), { status: 'found', id: idOf(n), row: n, isFocused: false });
  });
}

test('finds a held offer in the list of held ones, however many there are', async () => {
  const { $linked, openLink, $filter } = await linksOf(3, 350);
  await openLink(linkTo(900_320));
  assert.deepEqual($linked.get(), { status: 'found', id: idOf(900_320), row: 320, isFocused: false });
  assert.deepEqual($filter.get(), { only: 'held' });
});

test('finds a low offer in the list of low ones', async () => {
  const { $linked, openLink, $filter, rows } = await linksOf(3);
  rows.push(offerOf(3, { low: true }));
  await openLink(linkTo(3));
  assert.deepEqual($linked.get(), { status: 'found', id: idOf(3), row: 0, isFocused: false });
  assert.deepEqual($filter.get(), { only: 'low' });
});

test('finds an offer that is newer than the list', async () => {
  const { $linked, openLink, rows, shown } = await linksOf(2_500);
  rows.unshift(offerOf(-1, { id: idOf(5_000) }));
  await openLink(linkTo(5_000));
  assert.deepEqual($linked.get(), { status: 'found', id: idOf(5_000), row: 0, isFocused: false });
  assert.equal(shown()[0]?.id, idOf(5_000));
});

for (const total of [0, 3, 2_500]) {
  test(`an unknown offer among ${total} is unknown`, async () => {
    const { $linked, openLink } = await linksOf(total);
    await openLink(linkTo(7_777));
    assert.deepEqual($linked.get(), { status: 'unknown', id: idOf(7_777) });
  });
}

test('an offer that is gone from its page by now is unknown', async () => {
  const { $linked, openLink, api } = await linksOf(2_500);
  const id = idOf(7_777);
  api.readOffer.mock.mockImplementation(async () => offerOf(1_500, { id }));
  await openLink(linkTo(7_777));
  assert.deepEqual($linked.get(), { status: 'unknown', id });
});

test('a link that is closed while the page of its offer is read stays closed', async () => {
  const { $linked, openLink, closeLink, api, rows } = await linksOf(2_500);
  const page = Promise.withResolvers<Offer[]>();
  api.readPage.mock.mockImplementation(async (_, from) => (from ? await page.promise : rows.slice(0, 100)));
  const opening = openLink(linkTo(1_500));
  await settled();
  closeLink();
  page.resolve([offerOf(1_500)]);
  await opening;
  assert.deepEqual($linked.get(), { status: 'none' });
});

test('takes the focus once; any other fragment closes it, and any other list', async () => {
  const { $linked, openLink, linkedOfferFocused, showList } = await linksOf(3);
  await openLink(linkTo(1));
  linkedOfferFocused();
  assert.deepEqual($linked.get(), { status: 'found', id: idOf(1), row: 1, isFocused: true });
  await openLink('#some-element');
  assert.deepEqual($linked.get(), { status: 'none' });
  await openLink(linkTo(1));
  showList({ status: 'accepted' });
  assert.deepEqual($linked.get(), { status: 'none' });
});

test('a link that another one has overtaken changes nothing', async () => {
  const { $linked, openLink, api } = await linksOf(2_500);
  const late = Promise.withResolvers<Offer | undefined>();
  api.readOffer.mock.mockImplementationOnce(() => late.promise);
  const first = openLink(linkTo(1_500));
  await openLink(linkTo(1));
  late.resolve(offerOf(1_500));
  await first;
  assert.deepEqual($linked.get(), { status: 'found', id: idOf(1), row: 1, isFocused: false });
});

const NONE = { status: 'none' } as const;
const OFFER = idOf(1);
/** What a link to the second offer ends in, by how the offer is. */
const ENDS: [what: string, offer: Partial<Offer> | undefined | Error, linked: object, filter: object][] = [
  ['in the list', {}, { status: 'found', id: OFFER, row: 1, isFocused: false }, {}],
  ['held', { held: true }, { status: 'unknown', id: OFFER }, { only: 'held' }],
  ['low', { low: true }, { status: 'unknown', id: OFFER }, { only: 'low' }],
  ['low and held', { held: true, low: true }, { status: 'unknown', id: OFFER }, { only: 'held' }],
  ['gone', undefined, { status: 'unknown', id: OFFER }, {}],
  ['not readable', new Error('offline'), { status: 'unknown', id: OFFER }, {}],
];
for (const [what, offer, linked, filter] of ENDS) {
  const respond = () =>
    offer instanceof Error ? Promise.reject(offer) : Promise.resolve(offer && offerOf(1, offer));

  test(`a link to an offer that is ${what} ends, and its message can be closed`, async () => {
    const { $linked, $filter, openLink, api, closeLink, linkedOfferFocused } = await linksOf(3);
    api.readOffer.mock.mockImplementation(respond);
    const opening = openLink(linkTo(1));
    linkedOfferFocused();
    assert.deepEqual($linked.get(), { status: 'searching', id: OFFER }, 'only a found row takes the focus');
    await opening;
    assert.deepEqual([$linked.get(), $filter.get()], [linked, filter]);
    linkedOfferFocused();
    assert.deepEqual($linked.get(), { ...linked, ...('row' in linked && { isFocused: true }) });
    closeLink();
    linkedOfferFocused();
    assert.deepEqual($linked.get(), NONE);
  });

  const ENDINGS: [how: string, end: (links: Awaited<ReturnType<typeof linksOf>>) => unknown][] = [
    ['closed', ({ closeLink }) => closeLink()],
    ['left for another list', ({ showList }) => showList({ status: 'accepted' })],
    ['left for an element', ({ openLink }) => openLink('#title')],
    ['of a session that has ended', ({ cache }) => cache.clear()],
  ];
  for (const [how, end] of ENDINGS)
    test(`a link to an offer that is ${what}, ${how} while it is searched for, changes nothing when it is found`, async () => {
      const links = await linksOf(3);
      const { $linked, $filter, openLink, api } = links;
      const late = Promise.withResolvers<void>();
      api.readOffer.mock.mockImplementationOnce(async () => {
        await late.promise;
        return await respond();
      });
      const opening = openLink(linkTo(1));
      await settled();
      api.readOffer.mock.mockImplementation(() => new Promise(() => {}));
      void end(links);
      const filterThen = $filter.get();
      assert.deepEqual($linked.get(), NONE);
      late.resolve();
      await Promise.race([opening, settled()]);
      await settled();
      assert.deepEqual([$linked.get(), $filter.get()], [NONE, filterThen]);
    });
}
