import { useQuery } from '@tanstack/react-query';
import { messagesQuery } from '../stores/admin.ts';

/** How messages stand; undefined while it is unknown, and where the server has none. The dashboard polls it once. */
export function useMessages() {
  const { data } = useQuery(messagesQuery);
  return data === 'unavailable' ? undefined : data;
}
