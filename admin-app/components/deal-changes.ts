/** Changes of a deal in words, for the timeline. */
import type { Deal } from '#contract/negotiation.ts';
import { longDayOf } from './deal-steps.ts';

type Change = NonNullable<Deal['changes']>[number];

const STEPS: Readonly<Record<string, string>> = { paid: 'paid', transferred: 'transferred', sold: 'sold' };
const WAYS: Readonly<Record<string, string>> = {
  template: 'the link from your template',
  link: 'the link for this deal',
  closing: 'the closing text',
};

/** A field of a later version is shown by its name. */
export function textOfChange({ field, to, ...change }: Pick<Change, 'field' | 'from' | 'to'>): string {
  const from = typeof change.from === 'string' ? change.from : undefined;
  if (field in STEPS) return to === true ? `You marked it as ${field}` : `You undid ${field}`;
  switch (field) {
    case 'pay_by':
      return typeof to !== 'string'
        ? 'You removed Pay by'
        : `You set Pay by to ${longDayOf(to)}${was(from && longDayOf(from))}`;
    case 'link':
      return typeof to !== 'string'
        ? `You removed the link ${from ?? ''}`.trim()
        : `You set the link for this deal to ${to}${was(from)}`;
    case 'way':
      return typeof to !== 'string'
        ? 'You chose no way to pay for this deal'
        : `You chose ${WAYS[to] ?? to} as the way to pay`;
    default:
      return `You changed ${field}`;
  }
}

function was(before: string | undefined): string {
  return before ? `, before: ${before}` : '';
}
