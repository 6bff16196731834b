/** An address as the log may name it: a query can hold a token, or what somebody searched for. */
export function withoutQuery(url: string | undefined): string {
  return (url ?? '/').split('?', 1)[0] ?? '/';
}
