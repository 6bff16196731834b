/**
 * A link to write to one address. Everything but the `@` is encoded, so that no `?`, `&` or `,` in what
 * a stranger typed can add recipients, headers or a text.
 */
export function mailtoLink(email: string): string {
  return `mailto:${encodeURIComponent(email.toWellFormed()).replaceAll('%40', '@')}`;
}
