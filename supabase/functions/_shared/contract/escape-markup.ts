/** The text for HTML, XML or Pango's markup, between tags or in an attribute with double quotes. */
export function escapeMarkup(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replaceAll('"', '&quot;');
}
