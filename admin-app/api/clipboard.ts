/** Writes a text to the clipboard; rejects where the browser has none, as on http except localhost. */
export async function writeToClipboard(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}
