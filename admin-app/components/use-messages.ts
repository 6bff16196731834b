import { useQuery } from '@tanstack/react-query';
import { messagesQuery } from '../stores/admin.ts';

/** How messages stand; undefined while it is unknown. The dashboard polls it once. */
export function useMessages() {
  return useQuery(messagesQuery).data;
}
