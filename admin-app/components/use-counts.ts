import { useQuery } from '@tanstack/react-query';
import { offersStore } from '../stores/admin.ts';

/** Numbers of offers; undefined while they are unknown. */
export function useCounts() {
  return useQuery(offersStore.countsQuery).data;
}

const NUMBER = new Intl.NumberFormat('en-US');

export function formatNumber(number: number): string {
  return NUMBER.format(number);
}

/** `1 offer`, `5,000 offers` */
export function countOf(offers: number): string {
  return offers === 1 ? '1 offer' : `${formatNumber(offers)} offers`;
}
