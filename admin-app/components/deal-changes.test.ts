import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOfChange } from './deal-changes.ts';

const LINK = 'https://checkout.example/a';
const CASES: [change: Parameters<typeof textOfChange>[0], text: string][] = [
  [{ field: 'paid', from: false, to: true }, 'You marked it as paid'],
  [{ field: 'transferred', to: true }, 'You marked it as transferred'],
  [{ field: 'sold', to: false }, 'You undid sold'],
  [{ field: 'pay_by', to: '2026-12-07' }, 'You set Pay by to Dec 7, 2026'],
  [
    { field: 'pay_by', from: '2026-12-04', to: '2026-12-07' },
    'You set Pay by to Dec 7, 2026, before: Dec 4, 2026',
  ],
  [{ field: 'pay_by', from: '2026-12-04', to: null }, 'You removed Pay by'],
  [{ field: 'link', to: LINK }, `You set the link for this deal to ${LINK}`],
  [
    { field: 'link', from: LINK, to: `${LINK}b` },
    `You set the link for this deal to ${LINK}b, before: ${LINK}`,
  ],
  [{ field: 'link', from: LINK, to: null }, `You removed the link ${LINK}`],
  [{ field: 'link', to: null }, 'You removed the link'],
  [{ field: 'way', to: 'template' }, 'You chose the link from your template as the way to pay'],
  [{ field: 'way', to: 'link' }, 'You chose the link for this deal as the way to pay'],
  [{ field: 'way', to: 'closing' }, 'You chose the closing text as the way to pay'],
  [{ field: 'way', from: 'closing', to: null }, 'You chose no way to pay for this deal'],
  [{ field: 'way', to: 'later' }, 'You chose later as the way to pay'],
  [{ field: 'later', to: 'x' }, 'You changed later'],
];
for (const [change, text] of CASES)
  test(`${JSON.stringify(change)} is in the timeline: ${text}`, () => {
    assert.equal(textOfChange(change), text);
  });
