/**
 * A mailto link with exactly one recipient. Everything except `@` is encoded, so that `?`, `&` or `,` in the visitor's
 * input cannot add recipients, headers or a body.
 */
export function mailtoLink(email: string): string {
  return `mailto:${encodeURIComponent(email.toWellFormed()).replaceAll('%40', '@')}`;
}
